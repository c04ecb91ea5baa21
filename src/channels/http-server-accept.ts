/** What a client takes as a reply: the Accept header with its weights and wildcards. */

/** Whether each form of reply is acceptable. */
export interface Accepts {
  readonly json: boolean;
  readonly stream: boolean;
  /** True when a stream is preferred to JSON. */
  readonly prefersStream?: boolean;
}

const both: Accepts = { json: true, stream: true };

/** Clients send the same few texts over and over. */
const known = new Map<string, Accepts>();
const mostKnown = 100;

/** Reads an Accept header; without one everything is acceptable. */
export function readAccept(header: string | undefined): Accepts {
  if (header === undefined || header.trim() === '') return both;
  let accepts = known.get(header);
  if (!accepts) {
    const ranges = splitList(header, ',').map(readRange);
    const [json, stream] = [weigh(ranges, 'application', 'json'), weigh(ranges, 'text', 'event-stream')];
    accepts = {
      json: json > 0,
      stream: stream > 0,
      ...(json > 0 && stream > json ? { prefersStream: true } : {}),
    };
    if (known.size >= mostKnown) known.clear();
    known.set(header, accepts);
  }
  return accepts;
}

interface Range {
  readonly type: string;
  readonly subtype: string;
  readonly weight: number;
}

function readRange(text: string): Range {
  const [range = '', ...parameters] = splitList(text, ';');
  const [type = '', subtype = ''] = range.trim().toLowerCase().split('/');
  let weight = 1;
  for (const parameter of parameters) {
    const [, value] = /^\s*q\s*=\s*(\S*)\s*$/i.exec(parameter) ?? [];
    if (value === undefined) continue;
    // An odd weight is read as no weight rather than as a refusal.
    weight = /^(0(\.[0-9]*)?|1(\.0*)?)$/.test(value) ? Number(value) : 1;
  }
  return { type: type.trim(), subtype: subtype.trim(), weight };
}

/** The weight of the most specific range that fits; 0 when none does. */
function weigh(ranges: readonly Range[], type: string, subtype: string): number {
  const fits: readonly ((range: Range) => boolean)[] = [
    range => range.type === type && range.subtype === subtype,
    range => range.type === type && range.subtype === '*',
    range => range.type === '*' && (range.subtype === '*' || range.subtype === ''),
  ];
  for (const fit of fits) {
    const found = ranges.filter(fit);
    if (found.length > 0) return Math.max(...found.map(({ weight }) => weight));
  }
  return 0;
}

/** Splits at a sign that stands in no quoted string. */
export function splitList(text: string, sign: ',' | ';'): string[] {
  if (!text.includes('"')) return text.split(sign);
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (character === sign && !quoted) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
