/** A value in a few characters, for messages: bounded, and silent about what looks secret. */
import { outline, outlineHidden } from './outline.ts';
import { redact } from './redact.ts';
import { secretPart } from './secret-names.ts';

const secretName =
  /pass(word|phrase|wd)?|secret|token|api[-_]?key|credential|authori[sz]ation|private|cookie|^auth$/i;

/** As `outline`, and shows only the length of a string that holds a secret. */
export function sketch(value: unknown, room?: number): string {
  return typeof value === 'string' && redact(value) !== value ? outlineHidden(value) : outline(value, room);
}

/** As `sketch`, and shows of a string under a secret's name only the length, and of a number that it is one. */
export function sketchAt(path: readonly (string | number)[], value: unknown): string {
  const names = path.filter(part => typeof part === 'string');
  if (typeof value === 'string') {
    const named = names.some(name => secretName.test(name) || secretPart(name) !== 'none');
    return named ? outlineHidden(value) : sketch(value);
  }
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  return isNumber && names.some(name => secretPart(name) === 'all') ? 'a number' : sketch(value);
}
