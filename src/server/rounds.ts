/** Runs a handler that may return `needInput(…)`: asks what it wants to know, and runs it again with the answers. */
import { isObject } from '../basics/json.ts';
import type { Call } from '../protocol/call.ts';
import { isNeedInput, type NeedInput } from '../tools/need-input.ts';
import type { ElicitQuestion } from '../tools/question.ts';
import { readElicitAnswer } from './answers.ts';
import { checkQuestion, toQuestion } from './ask.ts';

/** How often one call may ask where it is this process that runs the handler again. */
const maxRounds = 16;

/** What is remembered between two rounds: the handler's own memo, and what its forms asked for. */
interface RoundMemo {
  readonly memo?: unknown;
  readonly forms: Readonly<Record<string, ElicitQuestion>>;
}

/**
 * What `run` comes to once it asks no more, at once where it can. Fails with `RoundEnded` where the client has to come again, and with a
 * `ProtocolError` for an answer that does not fit its question.
 */
export function runRounds(call: Call, run: () => unknown): unknown {
  return goOn(call, run, call.memo === undefined ? run() : runOn(call, run));
}

/** As `runRounds`, when `run` has come to `first` before. */
export function goOn(call: Call, run: () => unknown, first: unknown): unknown {
  // Most handlers ask nothing, and need not wait for that to be found out.
  return isNeedInput(first) || isThenable(first) ? askOn(call, run, first) : first;
}

async function runOn(call: Call, run: () => unknown): Promise<unknown> {
  await checkAnswers(call);
  call.signal.throwIfAborted();
  return run();
}

async function askOn(call: Call, run: () => unknown, first: unknown): Promise<unknown> {
  let returned = await first;
  for (let round = 1; isNeedInput(returned); round += 1) {
    if (round > maxRounds) {
      throw new TypeError(`needInput: it asked for input ${round} times in a row; the limit is ${maxRounds}`);
    }
    await ask(call, returned);
    returned = await runOn(call, run);
  }
  return returned;
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value;
}

/** What the handler itself wanted to find again. */
export function memoOf(call: Call): unknown {
  return isObject(call.memo) ? call.memo['memo'] : undefined;
}

async function ask(call: Call, { questions, memo }: NeedInput): Promise<void> {
  const asked = Object.entries(questions).map(([key, input]) => [key, toQuestion(input)] as const);
  for (const [key, question] of asked) checkQuestion(key, question, call.client);
  const forms = Object.entries(questions).flatMap(([key, input]) =>
    'elicit' in input ? [[key, input.elicit] as const] : [],
  );
  const remembered: RoundMemo = { memo, forms: Object.fromEntries(forms) };
  await call.needInput(Object.fromEntries(asked), remembered);
}

async function checkAnswers(call: Call): Promise<void> {
  const { forms } = call.memo as RoundMemo;
  for (const [key, question] of Object.entries(forms)) {
    if (Object.hasOwn(call.answers, key)) await readElicitAnswer(key, call.answers[key], question);
  }
}
