/** A tool's description no longer than a provider takes: cut behind a word, with a mark that says so. */
import { shorten } from '../../basics/shorten.ts';

const mark = ' […]';

/** At most `most` UTF-16 code units, the mark among them; the text itself where it is short enough. */
export function cutDescription(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = shorten(text, most - mark.length, '');
  const isWhole = /\s/.test(text.charAt(room.length));
  const end = isWhole ? room.length : Math.max(room.lastIndexOf(' '), room.lastIndexOf('\n'));
  // Many scripts write no spaces between words.
  const kept = end < room.length / 2 ? room : room.slice(0, end);
  return kept.trimEnd() + mark;
}
