/** Names that a provider refuses, written so that it takes them: one alias for one name, whatever stands beside it. */

/** What names may look like. The alias of a name that breaks a rule is the same for every rule. */
export interface NameRule {
  readonly pattern: RegExp;
  /** The rule in words, to be read after "a name must". */
  readonly says: string;
}

const longestAlias = 64;

/** `name` itself where the rule takes it, else a readable part of it with a hash of the whole. */
export function aliasFor(name: string, rule: NameRule): string {
  return rule.pattern.test(name) ? name : writeAlias(name);
}

/** Letters, digits and underscores, not beginning with a digit, 64 at most: every rule takes that. */
export function writeAlias(name: string, attempt = 0): string {
  const mark = `_${hashName(attempt === 0 ? name : `${name}\n${attempt}`)}`;
  const readable = name
    .slice(0, 4 * longestAlias)
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .replace(/^(?=\d|$)/, 'n');
  return readable.slice(0, longestAlias - mark.length).replace(/_+$/, '') + mark;
}

/** What may be an alias; a quick no for nearly all names. */
export function mayBeAlias(name: string): boolean {
  return /^[A-Za-z]\w*_[0-9a-z]{10}$/.test(name) && name.length <= longestAlias;
}

/** Ten characters of 0-9 and a-z, about 50 bits. Not for secrets: who wants a clash can make one. */
export function hashName(text: string): string {
  const high = fowlerNollVo(text, 0x811c9dc5);
  const low = fowlerNollVo(text, 0x2b7e1516);
  return (BigInt(high) * 4294967296n + BigInt(low)).toString(36).padStart(13, '0').slice(-10);
}

/** FNV-1a over UTF-16 code units, both bytes of each, with a last mix so that close texts differ everywhere. */
function fowlerNollVo(text: string, offset: number): number {
  let hash = offset;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    hash = Math.imul(hash ^ (code & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (code >>> 8), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
