/** Types as TypeScript text, joined so that the result always parses. */

/** A type, and how tightly its parts hold together. */
export interface TypeText {
  readonly text: string;
  /** `whole` stands anywhere; the others need parentheses in a tighter place. */
  readonly form: 'whole' | 'union' | 'intersection' | 'array';
}

export const unknownType: TypeText = { text: 'unknown', form: 'whole' };
export const neverType: TypeText = { text: 'never', form: 'whole' };

/** A type that stands anywhere. */
export function whole(text: string): TypeText {
  return { text, form: 'whole' };
}

/** Any of these; each is said once. `unknown` swallows the rest. */
export function unionOf(types: readonly TypeText[]): TypeText {
  const each = distinct(types).filter(({ text }) => text !== 'never');
  if (each.some(({ text }) => text === 'unknown')) return unknownType;
  const [first = neverType] = each;
  if (each.length <= 1) return first;
  // An intersection binds tighter; a union needs no parentheses within one.
  return { text: each.map(type => type.text).join(' | '), form: 'union' };
}

/** All of these at once. `unknown` adds nothing. */
export function intersectionOf(types: readonly TypeText[]): TypeText {
  const each = distinct(types).filter(({ text }) => text !== 'unknown');
  const [first = unknownType] = each;
  if (each.length <= 1) return first;
  return { text: each.map(type => within(type, ['union'])).join(' & '), form: 'intersection' };
}

export function arrayOf(type: TypeText): TypeText {
  return { text: `readonly ${itemsOf(type)}`, form: 'array' };
}

/** The last element of a tuple. Not a readonly array, in which TypeScript would not let a type refer to itself. */
export function restOf(type: TypeText): string {
  return `...${itemsOf(type)}`;
}

function itemsOf(type: TypeText): string {
  return `${within(type, ['union', 'intersection', 'array'])}[]`;
}

function within({ text, form }: TypeText, loose: readonly TypeText['form'][]): string {
  return loose.includes(form) ? `(${text})` : text;
}

function distinct(types: readonly TypeText[]): TypeText[] {
  return [...new Map(types.map(type => [type.text, type])).values()];
}

/** A string in quotes. */
export function quote(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'");
  return `'${inside}'`;
}

/** The name of a member, in quotes where it needs them. */
export function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

const longestComment = 2000;

/** A doc comment of that text, line by line; none for a text that says nothing. */
export function docComment(text: unknown): readonly string[] {
  if (typeof text !== 'string') return [];
  const lines = text
    .slice(0, longestComment)
    // Not what ends the comment, nor what the compiler takes for an order.
    .replace(/\*\//g, '*\\/')
    .replace(/@(?=ts-)/g, '@ ')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(line => line.replace(/\p{Cc}|\p{Cf}/gu, ' ').trimEnd());
  while (lines.length > 0 && lines[0]?.trim() === '') lines.shift();
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop();
  if (lines.length === 0) return [];
  if (text.length > longestComment) lines.push('…');
  if (lines.length === 1) return [`/** ${lines[0]?.trim()} */`];
  return ['/**', ...lines.map(line => ` * ${line}`.trimEnd()), ' */'];
}

/** The same lines, further to the right. */
export function indent(lines: readonly string[]): string[] {
  return lines.map(line => (line === '' ? line : `  ${line}`));
}

/** Words of any text as a name that begins with a capital; empty when it has neither letter nor digit. */
export function pascalCase(text: string): string {
  const words = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^A-Za-z0-9]+/);
  return words
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .replace(/^\d/, digit => `N${digit}`);
}
