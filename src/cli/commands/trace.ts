/** `tenon trace`: a recording as text, or as a page for a browser. */
import { readFile, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { messageOf, TenonError } from '../../basics/failure.ts';
import { seeHelp } from '../arguments.ts';
import { type Command, UsageError } from '../command.ts';
import { checkReplaceable } from '../output-file.ts';
import { count } from '../print.ts';
import { readRecording } from '../recording/line.ts';
import { toTimeline } from './trace/timeline.ts';
import { toTracePage } from './trace/trace-page.ts';
import { toTraceText } from './trace/trace-text.ts';

const help = `Usage: tenon trace <file> [options]

Shows what came of a recording, where it failed, and what happened in the order
of time: calls, model requests, tool calls and messages, with what they took.
<file> may be -, for standard input.

Options:
  -h, --help       Show this
  --page <file>    Write a page for a browser instead; it needs nothing else
  --json           Print the steps as JSON

Exit codes: 0 done, 1 the recording cannot be read, 2 wrong use.`;

const replaceable = { begins: /^\s*<!doctype html>/i, called: 'a page' };

export const traceCommand: Command = {
  help,
  options: { page: { type: 'string' }, json: { type: 'boolean' } },
  operands: { most: 1, commandLine: false },
  async run({ words: [file], values: { page, json } }, terminal) {
    if (file === undefined) throw new UsageError(`which recording? ${seeHelp('tenon trace')}`);
    if (typeof page === 'string') checkReplaceable('--page', page, replaceable);
    const recording = readRecording(await readText(file));
    const { unread } = recording;
    if (unread.length > 0) {
      terminal.warn(`${count(unread.length, 'line')} could not be read, first line ${unread[0]}`);
    }
    const timeline = toTimeline(recording);
    if (typeof page === 'string') await writePage(page, toTracePage(timeline));
    else if (json === true) terminal.print(JSON.stringify(timeline, null, 2));
    else terminal.print(toTraceText(timeline, { width: process.stdout.columns, paint: terminal.paint }));
    return 0;
  },
};

async function readText(file: string): Promise<string> {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new TenonError(`the recording ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

async function writePage(file: string, page: string): Promise<void> {
  try {
    await writeFile(file, page);
  } catch (error) {
    throw new TenonError(`--page: ${messageOf(error)}`, { cause: error });
  }
}
