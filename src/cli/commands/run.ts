/** `tenon run`: an agent that works on one prompt in the terminal. */
import { readFileSync } from 'node:fs';
import { isRunError } from '../../agent/errors.ts';
import type { RunResult } from '../../agent/run-plan.ts';
import { messageOf, TenonError } from '../../basics/failure.ts';
import { seeHelp } from '../arguments.ts';
import { askerAt } from '../asking/asker.ts';
import { type Command, type Given, UsageError } from '../command.ts';
import { runInterruptible } from '../server/interrupt.ts';
import { type AgentSession, openSession, sessionOptions } from '../session/agent-session.ts';

const see = 'tenon run';

const help = `Usage: tenon run <prompt> [options] [-- command [arguments]]

Lets a model work on a prompt with the tools of servers. Each tool call is
asked for at the terminal unless it is allowed; without one it is denied.
The model comes from TENON_MODEL, TENON_BASE_URL and TENON_API_KEY.

Options:
  -s, --server <server>    Its tools; a name or a URL; may be repeated
  -m, --model <name>       A model, or provider:model, in place of TENON_MODEL
  --tools <glob,…>         These tools alone, by tool or server/tool
  --allow <glob,…>         These need no approval; -y, --yes: none does
  --max-turns <n>          Responses of the model at most; 10
  --transcript <file>      Write the conversation there
  --continue <file>        Go on with that conversation, and write it there
  --record <file>          Write all events and messages there, for tenon trace
  --config <file>          Look for servers there alone
  --timeout <s>            Seconds to wait for a server, and for each tool
  --json                   Print the result as JSON

<prompt> may be -, for standard input.
Exit codes: 0 done, 1 failed, 2 wrong use, 130 interrupted.`;

export const runCommand: Command = {
  help,
  options: { ...sessionOptions, json: { type: 'boolean' } },
  operands: { most: Number.POSITIVE_INFINITY, commandLine: true },
  async run(given, screen) {
    const { prompt, usesInput } = readPrompt(given);
    const asker = usesInput ? undefined : askerAt(screen);
    const terminal = asker?.terminal ?? screen;
    const isData = given.values['json'] === true;
    const session = await openSession({ see, given, terminal, asker, speaks: !isData });
    return runInterruptible(async signal => {
      try {
        const result = await work(session, prompt, signal);
        if (isData) terminal.print(JSON.stringify(dataOf(result), null, 2));
        return 0;
      } finally {
        await session.close();
      }
    });
  },
};

/** The transcript is kept whatever comes of the run. */
async function work(
  { agent, printer, transcript, recorder }: AgentSession,
  prompt: string,
  signal: AbortSignal,
): Promise<RunResult> {
  recorder?.command({ type: 'prompt', prompt });
  try {
    const result = await agent.run(prompt, { signal, history: transcript.history });
    transcript.save(result.messages);
    printer.summary(result.counts, result.usage);
    return result;
  } catch (error) {
    if (isRunError(error)) {
      printer.end();
      printer.summary(error.counts, error.usage);
      transcript.save(error.messages);
    }
    throw error;
  }
}

function dataOf({ output, usage, counts, notes, messages }: RunResult): object {
  return { output, usage, counts, notes, messages };
}

function readPrompt({ words }: Given): { readonly prompt: string; readonly usesInput: boolean } {
  const usesInput = words.length === 1 && words[0] === '-';
  const prompt = usesInput ? readInput() : words.join(' ');
  if (prompt.trim() !== '') return { prompt, usesInput };
  throw new UsageError(
    usesInput
      ? 'standard input holds no prompt'
      : `what is the model to do? Give a prompt, or -. ${seeHelp(see)}`,
  );
}

function readInput(): string {
  try {
    return readFileSync(0, 'utf8');
  } catch (error) {
    throw new TenonError(`the prompt cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
