/** The JSON in an answer of a model, wherever it stands among prose and fences; pure, in time linear in its length. */
import { parseJson } from '../../basics/json.ts';

export type ExtractedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

/** More openings than this are not tried: an answer full of stray brackets must not take quadratic time. */
const mostOpenings = 64;

/**
 * The whole text when it is JSON; else what stands in the first fence that says `json`; else in the first other fence
 * that holds an object or a list; else the first balanced object or list that can be read.
 */
export function extractJson(text: string): ExtractedJson {
  const whole = parseJson(text.trim());
  if (whole.ok) return { ok: true, value: whole.value };
  const fences = findFences(text);
  const named = fences.filter(({ label }) => /^json[c5]?$/i.test(label));
  const others = fences.filter(({ label, body }) => !/^json[c5]?$/i.test(label) && /^\s*[[{]/.test(body));
  for (const { body } of [...named, ...others]) {
    const parsed = parseJson(body.trim());
    if (parsed.ok) return { ok: true, value: parsed.value };
  }
  const found = findBalanced(text);
  return found ?? { ok: false, reason: `there is no JSON object or list in it (${whole.reason})` };
}

interface Fence {
  readonly label: string;
  readonly body: string;
}

function findFences(text: string): readonly Fence[] {
  const fences: Fence[] = [];
  let open: { readonly label: string; readonly lines: string[] } | undefined;
  for (const line of text.split('\n')) {
    const mark = /^\s*```\s*([\w-]*)\s*$/.exec(line);
    if (open === undefined) {
      if (mark !== null) open = { label: mark[1] ?? '', lines: [] };
    } else if (mark?.[1] === '') {
      fences.push({ label: open.label, body: open.lines.join('\n') });
      open = undefined;
    } else open.lines.push(line);
  }
  // A fence that was never closed: the answer was cut off, or its author forgot.
  return open === undefined ? fences : [...fences, { label: open.label, body: open.lines.join('\n') }];
}

function findBalanced(text: string): ExtractedJson | undefined {
  let from = 0;
  for (let opening = 0; opening < mostOpenings; opening += 1) {
    const start = nextOpening(text, from);
    if (start === -1) return undefined;
    const end = endOf(text, start);
    if (end !== -1) {
      const parsed = parseJson(text.slice(start, end));
      if (parsed.ok) return { ok: true, value: parsed.value };
    }
    from = start + 1;
  }
  return undefined;
}

function nextOpening(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) if (text[at] === '{' || text[at] === '[') return at;
  return -1;
}

/** Where what opens at `start` is closed, strings left out of account; -1 when it never is. */
function endOf(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (quoted) {
      if (sign === '\\') at += 1;
      else if (sign === '"') quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}
