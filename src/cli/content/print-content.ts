/** Prints what a tool, a prompt or a resource gave: text as text, bytes into files that are named. */
import { decodeBase64 } from '../../basics/base64.ts';
import type { UnknownContent } from '../../client/call-result.ts';
import { type Content, isContent, type ResourceContents } from '../../tools/content.ts';
import type { Given } from '../command.ts';
import { count, plainLine, plainText, showValue } from '../print.ts';
import type { Terminal } from '../terminal.ts';
import { endingOf, safeName, saveBytes } from './saved-files.ts';

export interface ContentPlace {
  readonly terminal: Pick<Terminal, 'print' | 'warn'>;
  /** Where files go. */
  readonly folder: string;
  /** What files are called, before their ending. The caller's own word, not the server's. */
  readonly name: string;
}

/** The folder that `--out` names; the one that the command is started in unless given. */
export function folderOf({ out }: Given['values']): string {
  return typeof out === 'string' ? out : '.';
}

/** Text as it came where a program reads it, and without what would steer a terminal where a person does. */
export function shownText(text: string): string {
  const shown = process.stdout.isTTY ? plainText(text) : text;
  return shown.replace(/\n$/, '');
}

export function printBlock(block: Content | UnknownContent, place: ContentPlace): void {
  const { print } = place.terminal;
  if (!isContent(block)) print(`[content of the kind ${showValue(block.type)}; --json shows it]`);
  else if (block.type === 'text') print(shownText(String(block.text ?? '')));
  else if (block.type === 'resource') printResource(block.resource, place);
  else if (block.type === 'resource_link') {
    print(plainLine(`[resource ${block.uri}: ${block.title ?? block.name}]`));
  } else printBytes(block.data, block.mimeType, place);
}

export function printResource(resource: ResourceContents | undefined, place: ContentPlace): void {
  const { text, blob, mimeType } = resource ?? {};
  if (typeof text === 'string') place.terminal.print(shownText(text));
  else printBytes(blob, mimeType, place);
}

function printBytes(base64: unknown, mimeType: unknown, { terminal, folder, name }: ContentPlace): void {
  const type = typeof mimeType === 'string' ? mimeType : undefined;
  const bytes = typeof base64 === 'string' ? decodeBase64(base64) : undefined;
  const about = plainLine(type ?? 'bytes').slice(0, 100);
  if (bytes === undefined) {
    terminal.warn(`[${about}: not saved, since what came is no base64; --json shows it]`);
    return;
  }
  const { base, ending } = nameFor(name, type);
  const path = saveBytes(folder, base, ending, bytes);
  terminal.print(`[${about}, ${count(bytes.length, 'byte')}: saved as ${path}]`);
}

/** An ending that the name has already stays. */
function nameFor(name: string, type: string | undefined): { readonly base: string; readonly ending: string } {
  const safe = safeName(name);
  const own = /^(.+)\.([\p{L}\p{N}]{1,8})$/u.exec(safe);
  return own ? { base: own[1] ?? safe, ending: own[2] ?? '' } : { base: safe, ending: endingOf(type) };
}
