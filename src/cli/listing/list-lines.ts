/** Prints a list of what a server has: its name, then a line for each entry, or the whole as JSON. */
import type { Diagnostic } from '../../channels/channel.ts';
import type { Given } from '../command.ts';
import { count, plainLine } from '../print.ts';
import type { Terminal } from '../terminal.ts';

export interface ListLine {
  /** How it is called. */
  readonly name: string;
  /** What follows the name at once. */
  readonly signature?: string;
  /** What it is for. */
  readonly about: string;
}

export interface ListedEntries {
  /** Whose they are. */
  readonly title: string;
  /** What the server says of itself; absent for a saved list. */
  readonly server?: { readonly name: string; readonly version: string } | undefined;
  /** The lists as they came, by their names. */
  readonly lists: Readonly<Record<string, readonly unknown[]>>;
  /** What one of them is called, such as `tool`. */
  readonly noun: string;
  readonly lines: readonly ListLine[];
  /** What was noticed while reading the list; told beside it. */
  readonly notes: readonly Diagnostic[];
}

export function printList(
  { title, server, lists, noun, lines, notes }: ListedEntries,
  { values }: Given,
  terminal: Terminal,
): void {
  if (values['json'] === true) {
    terminal.print(JSON.stringify({ server, ...lists, notes }, null, 2));
    return;
  }
  for (const { message } of notes) terminal.warn(plainLine(message));
  terminal.print(`${plainLine(title)}: ${count(lines.length, noun)}`);
  for (const { name, signature = '', about } of lines) {
    const bold = terminal.paint('bold', plainLine(name));
    terminal.print(`  ${bold}${signature}${about === '' ? '' : `  ${about}`}`);
  }
}
