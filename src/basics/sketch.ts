/** A value in a few characters, for messages: bounded, and silent about what looks secret. */
import { outline, outlineHidden } from './outline.ts';
import { redact } from './redact.ts';

const secretName =
  /pass(word|phrase|wd)?|secret|token|api[-_]?key|credential|authori[sz]ation|private|cookie|^auth$/i;

/** As `outline`, and shows only the length of a string that holds a secret. */
export function sketch(value: unknown, room?: number): string {
  return typeof value === 'string' && redact(value) !== value ? outlineHidden(value) : outline(value, room);
}

/** As `sketch`, and shows only the length of a string that stands under a secret's name. */
export function sketchAt(path: readonly (string | number)[], value: unknown): string {
  const named = path.some(part => typeof part === 'string' && secretName.test(part));
  return typeof value === 'string' && named ? outlineHidden(value) : sketch(value);
}
