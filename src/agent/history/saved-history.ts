/** A conversation as text that lasts: with a version, and read back without losing what a newer writer added. */
import { TenonError } from '../../basics/failure.ts';
import { isObject, parseJson, printJson } from '../../basics/json.ts';
import type { ModelMessage } from '../../models/model.ts';
import { checkHistory } from './history.ts';

/** Raised only when an older reader would misread what is written; new members alone do not raise it. */
const version = 1;

/**
 * The messages as JSON, for a file or a database; everything of them is kept. Throws a TypeError for what is no message,
 * or holds what JSON cannot carry.
 */
export function saveHistory(messages: readonly ModelMessage[]): string {
  checkHistory(messages);
  return printJson({ version, messages });
}

/**
 * The messages of `saveHistory`, as text or parsed already; a bare list of messages is read too. Members that this
 * version does not know are kept. Throws a TenonError for text that is not JSON and for a version that is newer than
 * this library, and a TypeError for what is no message.
 */
export function loadHistory(saved: unknown): ModelMessage[] {
  const value = typeof saved === 'string' ? parse(saved) : saved;
  const messages = Array.isArray(value) ? value : messagesOf(value);
  checkHistory(messages);
  return [...messages];
}

function parse(saved: string): unknown {
  const parsed = parseJson(saved);
  if (parsed.ok) return parsed.value;
  throw new TenonError(`the saved history is not valid JSON (${parsed.reason})`, {
    hint: 'Give loadHistory what saveHistory gave, whole.',
  });
}

function messagesOf(value: unknown): unknown {
  const written = isObject(value) ? value['version'] : undefined;
  if (!isObject(value) || typeof written !== 'number' || !Number.isInteger(written) || written < 1) {
    throw new TenonError('the saved history has no version', {
      hint: 'Give loadHistory what saveHistory gave, or a list of messages.',
    });
  }
  if (written > version) {
    throw new TenonError(
      `the saved history is of version ${written}, and this library reads up to version ${version}`,
      { hint: 'Read it with the version of the library that wrote it, or a newer one.' },
    );
  }
  return value['messages'];
}
