/** A long text in pieces that keep whole things: whole parts of JSON, else whole lines, else characters. */
import { parseJson } from '../../basics/json.ts';
import { findItemCut, openItems } from './item-cut.ts';

/** A piece of a text. */
export interface Piece {
  /** What is shown; closed with its brackets, so that it can be read as JSON, where no more is cut than `extent` says. */
  readonly text: string;
  /** Where the next piece begins; the length of the text when this is the last. */
  readonly end: number;
  /** What was not cut apart, as words: `items 1 to 120 of 5000 in "rows"`. */
  readonly extent: string;
}

/** Lines and items that fill less than this part of the room are cut apart instead, or little would be shown. */
const leastFilling = 0.1;

/** The piece from `start` on of at most `room` characters (of at least 1), brackets of JSON not counted. */
export function pieceOf(text: string, start: number, room: number): Piece {
  if (text.length - start <= room) {
    const open = start > 0 && isJsonText(text) ? openItems(text, start) : '';
    const extent = charactersOf(text, start, text.length);
    return { text: open + text.slice(start), end: text.length, extent };
  }
  return (isJsonText(text) ? itemsOf(text, start, room) : undefined) ?? linesOf(text, start, room);
}

function isJsonText(text: string): boolean {
  return /^\s*[[{]/.test(text) && parseJson(text).ok;
}

function itemsOf(text: string, start: number, room: number): Piece | undefined {
  const cut = findItemCut(text, start, start + room, Math.floor(room * leastFilling));
  if (cut === undefined) return undefined;
  const { end, open, close, of, from, to, total, path } = cut;
  // The comma at the end belongs to neither piece.
  const shown = `${open}${text.slice(start, end - 1)}${close}`;
  const where = path === '' ? '' : ` in ${JSON.stringify(path)}`;
  return { text: shown, end, extent: `${of} ${from} to ${to} of ${total}${where}` };
}

function linesOf(text: string, start: number, room: number): Piece {
  const window = text.slice(start, start + room);
  const line = window.lastIndexOf('\n') + 1;
  if (line > 0 && line >= room * leastFilling) {
    const end = start + line;
    return { text: text.slice(start, end - 1), end, extent: charactersOf(text, start, end) };
  }
  // Not between the halves of a surrogate pair, unless there is room for nothing else.
  const whole = window.length > 1 ? window.replace(/[\uD800-\uDBFF]$/, '') : window;
  const end = start + whole.length;
  return { text: whole, end, extent: charactersOf(text, start, end) };
}

function charactersOf(text: string, start: number, end: number): string {
  return `characters ${start} to ${end} of ${text.length}`;
}
