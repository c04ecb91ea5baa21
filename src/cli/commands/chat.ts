/** `tenon chat`: an agent in the terminal, prompt by prompt. */

import { isRunError } from '../../agent/errors.ts';
import { type Conversation, conversation } from '../../agent/history/conversation.ts';
import { askerAt } from '../asking/asker.ts';
import { type Command, UsageError } from '../command.ts';
import { firstSentence } from '../listing/signature.ts';
import { describeFailure, plainLine } from '../print.ts';
import { type AgentSession, openSession, sessionOptions } from '../session/agent-session.ts';
import type { Terminal } from '../terminal.ts';
import { type ChatInterrupts, watchInterrupts } from './chat/interrupts.ts';
import { type ChatLines, chatLines } from './chat/lines.ts';

const see = 'tenon chat';

const help = `Usage: tenon chat [options] [-- command [arguments]]

Talks with a model that has the tools of servers, prompt by prompt. Lines that
are pasted together are one prompt. /tools lists the tools, /exit leaves, as
does Ctrl-D. Ctrl-C gives up what goes on; a second one leaves.
The model comes from TENON_MODEL, TENON_BASE_URL and TENON_API_KEY.

Options:
  -s, --server <server>    Its tools; a name or a URL; may be repeated
  -m, --model <name>       A model, or provider:model, in place of TENON_MODEL
  --tools <glob,…>         These tools alone, by tool or server/tool
  --allow <glob,…>         These need no approval; -y, --yes: none does
  --max-turns <n>          Responses of the model at most, for one prompt; 10
  --transcript <file>      Write the conversation there
  --continue <file>        Go on with that conversation, and write it there
  --record <file>          Write all events and messages there, for tenon trace
  --config <file>          Look for servers there alone
  --timeout <s>            Seconds to wait for a server, and for each tool
  --json                   Print each result as a line of JSON

Exit codes: 0 left, 1 failed, 2 wrong use, 130 interrupted.`;

interface Chat {
  readonly session: AgentSession;
  readonly talk: Conversation;
  readonly terminal: Terminal;
  readonly interrupts: ChatInterrupts;
  /** Whether results are printed as data, in place of what the model says. */
  readonly isData: boolean;
}

export const chatCommand: Command = {
  help,
  options: { ...sessionOptions, json: { type: 'boolean' } },
  operands: { most: 0, commandLine: true },
  async run(given, screen) {
    const asker = askerAt(screen);
    const terminal = asker?.terminal ?? screen;
    const isData = given.values['json'] === true;
    const session = await openSession({ see, given, terminal, asker, speaks: !isData });
    const interrupts = watchInterrupts();
    const talk = conversation(session.agent, { history: session.transcript.history });
    const lines = chatLines(asker);
    if (asker !== undefined) terminal.warn(welcome(session));
    try {
      const failed = await converse({ session, talk, terminal, interrupts, isData }, lines);
      // Who types sees what fails and goes on; a script must be told.
      return failed && asker === undefined ? 1 : 0;
    } catch (error) {
      if (interrupts.leaving.aborted) return 130;
      throw error;
    } finally {
      lines.close();
      await session.close();
      interrupts.stop();
    }
  },
};

function welcome({ model, servers }: AgentSession): string {
  const tools = servers.length === 0 ? 'no servers' : servers.join(', ');
  return plainLine(`${model} with ${tools}; /tools lists the tools, /exit or Ctrl-D leaves`);
}

/** Until the person leaves; whether any prompt failed. */
async function converse(chat: Chat, lines: ChatLines): Promise<boolean> {
  const { interrupts, terminal } = chat;
  let failed = false;
  for (;;) {
    let typed: string | undefined;
    try {
      typed = await interrupts.during(signal => lines.next(signal));
    } catch (error) {
      if (interrupts.leaving.aborted || !isInterrupt(error)) throw error;
      terminal.warn('Ctrl-C again leaves.');
      continue;
    }
    const line = typed?.trim();
    if (line === undefined || line === '/exit' || line === '/quit') return failed;
    interrupts.forgive();
    if (line === '') continue;
    const done = await interrupts.during(signal => obey(chat, line, signal));
    failed ||= !done;
    interrupts.leaving.throwIfAborted();
  }
}

function isInterrupt(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Does what a line asks for; false when that failed. */
async function obey(chat: Chat, line: string, signal: AbortSignal): Promise<boolean> {
  const { terminal } = chat;
  try {
    if (line === '/tools') await listTools(chat, signal);
    else if (/^\/\w*$/.test(line)) terminal.warn('There are /tools and /exit.');
    else await answer(chat, line, signal);
    return true;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    chat.session.printer.end();
    const isCancelled = signal.aborted;
    terminal.warn(isCancelled ? 'Given up; the conversation is as it was before.' : describeFailure(error));
    if (isRunError(error)) chat.session.printer.summary(error.counts, error.usage);
    return isCancelled;
  }
}

async function answer(
  { session, talk, terminal, isData }: Chat,
  prompt: string,
  signal: AbortSignal,
): Promise<void> {
  session.recorder?.command({ type: 'prompt', prompt });
  const { output, counts, usage } = await talk.run(prompt, { signal });
  if (isData) terminal.print(JSON.stringify({ output, usage, counts }));
  session.transcript.save(talk.messages);
  session.printer.summary(counts, usage);
}

async function listTools({ session: { tools }, terminal }: Chat, signal: AbortSignal): Promise<void> {
  const all = (await tools?.tools({ signal })) ?? [];
  for (const { name, description } of all) {
    terminal.print(`  ${terminal.paint('bold', plainLine(name))}  ${firstSentence(description)}`);
  }
  if (all.length === 0) terminal.warn('There are no tools; --server gives those of a server.');
}
