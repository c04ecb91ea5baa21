/** URI templates (RFC 6570): reads one into parts, and writes URIs by it. */

/** A value for a variable; a list is written out by `*` or joined with commas. */
export type TemplateValue = string | number | boolean | readonly string[] | undefined;

export interface TemplateVariable {
  readonly name: string;
  /** Written with `*`: a list. */
  readonly explode: boolean;
  /** Characters of the value that count (`:n`). */
  readonly prefix: number | undefined;
}

export interface TemplateExpression {
  readonly operator: string;
  readonly variables: readonly TemplateVariable[];
}

/** A piece of a template: text that stands as it is, or an expression. */
export type TemplatePart = string | TemplateExpression;

/** How an operator writes its values: before the first, between them, with names or without, reserved kept or not. */
interface Manner {
  readonly first: string;
  readonly between: string;
  readonly named: boolean;
  readonly reserved: boolean;
}

const manners: Readonly<Record<string, Manner>> = {
  '': { first: '', between: ',', named: false, reserved: false },
  '+': { first: '', between: ',', named: false, reserved: true },
  '#': { first: '#', between: ',', named: false, reserved: true },
  '.': { first: '.', between: '.', named: false, reserved: false },
  '/': { first: '/', between: '/', named: false, reserved: false },
  ';': { first: ';', between: ';', named: true, reserved: false },
  '?': { first: '?', between: '&', named: true, reserved: false },
  '&': { first: '&', between: '&', named: true, reserved: false },
};

/** Longest template that is read, in characters. */
const longest = 8192;

/** The parts of a template. Throws a TypeError that says what is wrong with it and where. */
export function parseTemplate(template: string): readonly TemplatePart[] {
  if (template.length > longest) throw wrong(template, `it is longer than ${longest} characters`);
  const parts: TemplatePart[] = [];
  for (let at = 0; at < template.length; ) {
    const open = template.indexOf('{', at);
    const literal = template.slice(at, open === -1 ? undefined : open);
    if (literal.includes('}')) throw wrong(template, 'a "}" has no "{" before it');
    if (literal !== '') parts.push(literal);
    if (open === -1) break;
    const close = template.indexOf('}', open);
    if (close === -1) throw wrong(template, 'a "{" is never closed');
    parts.push(parseExpression(template.slice(open + 1, close), template));
    at = close + 1;
  }
  return parts;
}

/** Names of the variables, each once, in order. */
export function variablesOf(parts: readonly TemplatePart[]): readonly string[] {
  const names = parts.flatMap(part =>
    typeof part === 'string' ? [] : part.variables.map(({ name }) => name),
  );
  return [...new Set(names)];
}

/** The URI that a template stands for with these values; variables without one are left out, as the RFC has it. */
export function expandTemplate(template: string, values: Readonly<Record<string, TemplateValue>>): string {
  return parseTemplate(template)
    .map(part => (typeof part === 'string' ? part : expand(part, values)))
    .join('');
}

function parseExpression(body: string, template: string): TemplateExpression {
  const operator = '+#./;?&'.includes(body.charAt(0)) ? body.charAt(0) : '';
  const variables = body
    .slice(operator.length)
    .split(',')
    .map(spec => {
      const [, name, star, length] = /^([A-Za-z0-9_.%-]+)(?:(\*)|:([1-9][0-9]{0,3}))?$/.exec(spec) ?? [];
      if (name === undefined) throw wrong(template, `"{${body}}" names no variable that can be read`);
      return { name, explode: star !== undefined, prefix: length === undefined ? undefined : Number(length) };
    });
  return { operator, variables };
}

function wrong(template: string, why: string): TypeError {
  const shown = template.length > 100 ? `${template.slice(0, 100)}…` : template;
  return new TypeError(`the URI template ${JSON.stringify(shown)} cannot be used: ${why}`);
}

function expand(
  { operator, variables }: TemplateExpression,
  values: Readonly<Record<string, TemplateValue>>,
): string {
  const manner = manners[operator];
  if (!manner) return '';
  const written = variables.flatMap(variable => {
    const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
    return value === undefined ? [] : write(variable, value, manner);
  });
  return written.length === 0 ? '' : manner.first + written.join(manner.between);
}

function write(
  variable: TemplateVariable,
  value: Exclude<TemplateValue, undefined>,
  manner: Manner,
): string[] {
  const { name, explode, prefix } = variable;
  const encode = (text: string): string => (manner.reserved ? encodeReserved(text) : encodeStrictly(text));
  const named = (text: string): string => {
    if (!manner.named) return text;
    return text === '' && manner.first === ';' ? name : `${name}=${text}`;
  };
  if (!Array.isArray(value)) {
    const text = String(value);
    return [named(encode(prefix === undefined ? text : [...text].slice(0, prefix).join('')))];
  }
  const texts = value.map(each => encode(String(each)));
  if (texts.length === 0) return [];
  return explode ? texts.map(named) : [named(texts.join(','))];
}

/** All but what RFC 3986 calls unreserved. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(wellFormed(text)).replace(/[!'()*]/g, sign => percent(sign));
}

/** Reserved characters and what is encoded already stay. */
function encodeReserved(text: string): string {
  return encodeURI(wellFormed(text))
    .replace(/%25([0-9A-Fa-f]{2})/g, '%$1')
    .replace(/%5B/g, '[')
    .replace(/%5D/g, ']');
}

function percent(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Half of a surrogate pair has no UTF-8 form. */
function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
}
