/** One step of a trace page: a row with its bar, and what there is to read about it; pure. */
import { isObject, parseJson } from '../../../basics/json.ts';
import { shorten } from '../../../basics/shorten.ts';
import { count } from '../../print.ts';
import { seconds, tokensOf, tookOf } from './describe-outcome.ts';
import { reasonOf, wordsOf } from './read-value.ts';
import type { TimelineStep } from './step.ts';

const deepestIndent = 8;

/** Any text as text on a page, never markup; signs that would turn or hide what stands around them are written as numbers. */
export function asText(text: string): string {
  return text
    .replace(/(?![\n\r\t])\p{Cc}|\p{Cf}/gu, sign => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

export interface ItemFrame {
  /** Of the whole recording, in milliseconds. */
  readonly length: number;
  /** Characters of one value at most. */
  readonly most: number;
  /** Whether what there is to read is shown at once. */
  readonly isOpen: boolean;
}

export function toItem(step: TimelineStep, index: number, { length, most, isOpen }: ItemFrame): string {
  const { kind, title, said, depth, from, failed } = step;
  const classes = classesOf(step);
  const tokens = tokensOf(step);
  const indent = Math.min(depth, deepestIndent);
  return (
    `<li class="${classes}" id="step-${index + 1}"><details${isOpen ? ' open' : ''}>` +
    `<summary class="row"><time>${seconds(from)}</time>` +
    `<span class="what" style="--depth:${indent}"><b>${failed ? '✗ ' : ''}${kind}</b>` +
    `<span class="title">${asText(title)}</span>` +
    `<span class="said">${asText(said)}</span>${tokens === '' ? '' : `<span class="tokens">${tokens}</span>`}</span>` +
    `<span class="took">${tookOf(step)}</span>${toBar(step, length)}</summary>` +
    `<div class="inside">${toDetails(step, most)}</div></details></li>`
  );
}

/** `kept`: shown whatever is chosen. A request of a tool call that failed says no more than the call. */
function classesOf({ kind, depth, failed, to }: TimelineStep): string {
  const isKept = failed && !(kind === 'request' && depth > 1);
  const states = { failed, open: to === undefined, kept: isKept };
  const named = Object.entries(states).flatMap(([name, holds]) => (holds ? [name] : []));
  return ['step', kind, ...named].join(' ');
}

/** In parts of the recording; a bar at its very end is still to be seen. */
function toBar({ from, to }: TimelineStep, length: number): string {
  const scale = length === 0 ? 1 : length;
  const left = ((from / scale) * 100).toFixed(3);
  const width = ((((to ?? length) - from) / scale) * 100).toFixed(3);
  return `<span class="track" aria-hidden="true"><span class="bar" style="left:min(${left}%,calc(100% - 3px));width:${width}%"></span></span>`;
}

function toDetails({ details }: TimelineStep, most: number): string {
  const { error, ...others } = details;
  const reason = error === undefined ? '' : reasonOf(error);
  const parts = Object.entries(others)
    // Where a failure is all that a tool gave, it is told once.
    .filter(([, value]) => value !== undefined && value !== '' && value !== reason)
    .map(([name, value]) => toPart(name, readable(name, value), most));
  if (error !== undefined) parts.unshift(toError(error, reason, most));
  return parts.length === 0 ? '<p>There is nothing more to read.</p>' : parts.join('');
}

function toError(error: unknown, reason: string, most: number): string {
  const { name: _name, message: _message, ...more } = isObject(error) ? error : {};
  const rest = Object.keys(more).length === 0 ? '' : toPart('error in full', print(error), most);
  return `<h3 class="error">error</h3><pre>${asText(cut(reason, most))}</pre>${rest}`;
}

function toPart(name: string, text: string, most: number): string {
  return `<h3>${asText(name)}</h3><pre>${asText(cut(text, most))}</pre>`;
}

/** Results by their words, before their JSON; arguments that are JSON in a text as what they hold. */
function readable(name: string, value: unknown): string {
  if (typeof value === 'string') {
    const parsed = /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
    return parsed?.ok === true ? print(parsed.value) : value;
  }
  if (name !== 'answer' || !isObject(value) || !Array.isArray(value['content'])) return print(value);
  const words = wordsOf({ content: value['content'] });
  return `${words}\n\n${print(value)}`;
}

function print(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${shorten(text, most, '')}\n… ${count(text.length - most, 'more character')} in the recording`;
}
