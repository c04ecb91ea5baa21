/** Answers what a server asks the person: a form field by field, or a page to visit; no one there is no answer. */
import { isObject } from '../../basics/json.ts';
import type { ClientOptions } from '../../client/options.ts';
import type { ElicitAnswer, ElicitQuestion, FormQuestion, UrlQuestion } from '../../tools/question.ts';
import { indentRest, plainLine, plainText, showValue } from '../print.ts';
import type { Terminal } from '../terminal.ts';
import { askField } from './ask-field.ts';
import type { Asker, Dialogue } from './asker.ts';

type OnElicit = NonNullable<ClientOptions['onElicit']>;

const cancelled: ElicitAnswer = { action: 'cancel' };
const declined: ElicitAnswer = { action: 'decline' };
const longestMessage = 2000;

/** The handler for `server`, as it is called here. Without an asker every question is cancelled, and said so. */
export function answerElicitation(server: string, asker: Asker | undefined, terminal: Terminal): OnElicit {
  return (question, { signal }) => {
    if (asker !== undefined) return asker.converse(dialogue => answer(server, question, dialogue), signal);
    const asked = plainLine(question.message).slice(0, 200);
    terminal.warn(
      `${plainLine(server)} asks: ${showValue(asked)}; there is no terminal to answer at, so it gets no answer`,
    );
    return cancelled;
  };
}

async function answer(server: string, question: ElicitQuestion, dialogue: Dialogue): Promise<ElicitAnswer> {
  dialogue.say(
    `The server ${plainLine(server)} asks: ${indentRest(plainText(question.message).slice(0, longestMessage))}`,
  );
  return question.mode === 'url' ? visit(question, dialogue) : fillIn(question, dialogue);
}

async function visit({ url }: UrlQuestion, { say, ask }: Dialogue): Promise<ElicitAnswer> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    say(`It wants a page opened whose address is no web address, ${showValue(url)}; the answer is no.`);
    return declined;
  }
  const { href, host } = new URL(url);
  say(`It wants you to open a page of ${host}:\n  ${href}`);
  return decide(ask, 'Open it yourself, then press Enter; n for no: ', () => ({ action: 'accept' }));
}

async function fillIn({ requestedSchema }: FormQuestion, dialogue: Dialogue): Promise<ElicitAnswer> {
  const { properties } = requestedSchema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const content: [string, unknown][] = [];
  for (const name of names) {
    const asked = await askField(dialogue, requestedSchema, name);
    if (asked.kind === 'ended') return cancelled;
    if (asked.kind === 'value') content.push([name, asked.value]);
  }
  return decide(dialogue.ask, 'Send it? Enter for yes, n for no: ', () => ({
    action: 'accept',
    content: Object.fromEntries(content) as NonNullable<ElicitAnswer['content']>,
  }));
}

/** Anything but yes and an empty line is a no; the end of the input is neither. */
async function decide(
  ask: Dialogue['ask'],
  question: string,
  accept: () => ElicitAnswer,
): Promise<ElicitAnswer> {
  const line = await ask(question);
  if (line === undefined) return cancelled;
  return /^(y|yes)?$/i.test(line.trim()) ? accept() : declined;
}
