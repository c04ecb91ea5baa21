/** Finds the values in a URI that a template stands for, in time linear in the URI's length. */
import { parseTemplate, type TemplatePart, type TemplateVariable } from './uri-template.ts';

/** Values by the name of their variable; a list where the template has `*`. */
export type TemplateValues = Readonly<Record<string, string | readonly string[]>>;

/** A template made ready to be held against URIs. */
export interface TemplateMatcher {
  /** The values, percent-decoded; nothing when the URI is not one of the template's. */
  match(uri: string, work?: { steps: number }): TemplateValues | undefined;
}

/** What one piece of the template may stand for in a URI. */
type Piece =
  | { readonly literal: string }
  | {
      /** Stands before the value; then the whole may be absent. */
      readonly lead: string;
      /** Characters that a value never has. */
      readonly stops: string;
      readonly least: 0 | 1;
      readonly read: (text: string) => readonly (readonly [string, string | readonly string[]])[] | undefined;
    };

/** Longest URI that is looked at, in characters. */
const longest = 65_536;

/** Throws a TypeError for a template that cannot be read. */
export function templateMatcher(template: string): TemplateMatcher {
  const pieces = joinQueries(parseTemplate(template)).flatMap(piecesOf).map(stopAtQuery);
  return { match: (uri, work) => (uri.length > longest ? undefined : match(pieces, uri, work)) };
}

/** `{?a}{&b}` is one query: its pairs may come in any order. */
function joinQueries(parts: readonly TemplatePart[]): readonly TemplatePart[] {
  const joined: TemplatePart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const goes = typeof part === 'object' && part.operator === '&' && typeof last === 'object';
    if (goes && (last.operator === '?' || last.operator === '&')) {
      joined[joined.length - 1] = { ...last, variables: [...last.variables, ...part.variables] };
    } else joined.push(part);
  }
  return joined;
}

/** `{+path}{?q}`: a path could hold the query as well, and is not meant to. */
function stopAtQuery(piece: Piece, index: number, pieces: readonly Piece[]): Piece {
  if ('literal' in piece) return piece;
  const later = pieces.slice(index + 1).flatMap(each => ('literal' in each ? [] : [each.lead]));
  const stops = ['?', '#'].filter(sign => later.includes(sign)).join('');
  return { ...piece, stops: piece.stops + stops };
}

function piecesOf(part: TemplatePart): readonly Piece[] {
  if (typeof part === 'string') return [{ literal: part }];
  const { operator, variables } = part;
  switch (operator) {
    case '?':
    case '&':
      return [{ lead: operator, stops: '#', least: 0, read: text => readPairs(text, '&', variables) }];
    case ';':
      return [{ lead: ';', stops: '/?#', least: 0, read: text => readPairs(text, ';', variables) }];
    default:
      return variables.map((variable, index) => pieceOf(operator, variable, index, variables.length > 1));
  }
}

function pieceOf(operator: string, variable: TemplateVariable, index: number, several: boolean): Piece {
  const between = operator === '/' || operator === '.' ? operator : ',';
  const open = operator === '+' || operator === '#';
  const lead =
    operator === '/' || operator === '.' ? operator : index === 0 ? operator.replace('+', '') : ',';
  // A value without `*` does not run over what stands between values.
  const own = variable.explode || (between === ',' && !several) ? '' : between;
  const kept = open ? '' : operator === '/' && variable.explode ? '?#' : '/?#';
  return {
    lead,
    stops: kept + own,
    least: lead === '' ? 1 : 0,
    read: text => {
      const value = variable.explode ? decodeAll(text.split(between)) : decode(text, variable);
      return value === undefined ? undefined : [[variable.name, value]];
    },
  };
}

function readPairs(
  text: string,
  between: string,
  variables: readonly TemplateVariable[],
): readonly (readonly [string, string | readonly string[]])[] | undefined {
  const found = new Map<string, string | string[]>();
  for (const pair of text === '' ? [] : text.split(between)) {
    const equals = pair.indexOf('=');
    const name = equals === -1 ? pair : pair.slice(0, equals);
    const variable = variables.find(each => each.name === name);
    const value = variable && decode(equals === -1 ? '' : pair.slice(equals + 1), variable);
    if (variable === undefined || value === undefined) return undefined;
    const known = found.get(name);
    if (variable.explode && Array.isArray(known)) known.push(value);
    else if (known !== undefined) return undefined;
    else found.set(name, variable.explode ? [value] : value);
  }
  return [...found];
}

function decodeAll(texts: readonly string[]): readonly string[] | undefined {
  const decoded = texts.map(text => decode(text));
  return decoded.every(each => each !== undefined) ? decoded : undefined;
}

function decode(text: string, variable?: TemplateVariable): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    return undefined;
  }
  const { prefix } = variable ?? {};
  return prefix !== undefined && [...decoded].length > prefix ? undefined : decoded;
}

/**
 * From the last piece to the first: at which places of the URI may the rest of the template begin? Then from the
 * first to the last: each value is as long as the rest allows. Each piece looks at each character a fixed number of
 * times, whatever the URI is.
 */
function match(
  pieces: readonly Piece[],
  uri: string,
  work: { steps: number } = { steps: 0 },
): TemplateValues | undefined {
  const fits: Uint8Array[] = [];
  let rest = new Uint8Array(uri.length + 1);
  rest[uri.length] = 1;
  for (let index = pieces.length - 1; index >= 0; index -= 1) {
    const piece = pieces[index];
    if (!piece) continue;
    fits.unshift(rest);
    rest = beginnings(piece, uri, rest);
    work.steps += uri.length + 1;
  }
  if (rest[0] !== 1) return undefined;

  const values = new Map<string, string | readonly string[]>();
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const after = fits[index];
    if (!after) return undefined;
    if ('literal' in piece) {
      at += piece.literal.length;
      continue;
    }
    if (piece.lead !== '' && !uri.startsWith(piece.lead, at)) continue;
    const start = at + piece.lead.length;
    const end = longestEnd(piece.stops, piece.least, uri, start, after);
    work.steps += uri.length - at;
    if (end === undefined) continue;
    for (const [name, value] of piece.read(uri.slice(start, end)) ?? ([[undefined, '']] as const)) {
      // The same variable twice must stand for the same value.
      if (name === undefined || (values.has(name) && String(values.get(name)) !== String(value)))
        return undefined;
      values.set(name, value);
    }
    at = end;
  }
  return Object.fromEntries(values);
}

/** Where `piece` may begin so that `rest` may begin where it ends. */
function beginnings(piece: Piece, uri: string, rest: Uint8Array): Uint8Array<ArrayBuffer> {
  const found = new Uint8Array(uri.length + 1);
  if ('literal' in piece) {
    for (let at = uri.indexOf(piece.literal); at !== -1; at = uri.indexOf(piece.literal, at + 1)) {
      if (rest[at + piece.literal.length] === 1) found[at] = 1;
    }
    return found;
  }
  const { lead, stops, least } = piece;
  // Whether a value that begins here can end at a place from which the rest fits.
  let open = false;
  for (let at = uri.length; at >= 0; at -= 1) {
    const stopped = at === uri.length || stops.includes(uri.charAt(at));
    const longer: boolean = !stopped && open;
    open = rest[at] === 1 || longer;
    const value = least === 0 ? open : longer;
    if (lead === '') found[at] = value ? 1 : 0;
    else {
      if (rest[at] === 1) found[at] = 1;
      if (value && at > 0 && uri.charAt(at - 1) === lead) found[at - 1] = 1;
    }
  }
  return found;
}

function longestEnd(
  stops: string,
  least: number,
  uri: string,
  start: number,
  after: Uint8Array,
): number | undefined {
  let end: number | undefined;
  for (let at = start; at <= uri.length; at += 1) {
    if (after[at] === 1 && at - start >= least) end = at;
    if (at < uri.length && stops.includes(uri.charAt(at))) break;
  }
  return end;
}
