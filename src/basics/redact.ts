/** Secrets masked in texts that people, logs and models may read; it would rather miss prose than mangle it. */
import { namesSecret, otherTokens, plainWords } from './secret-names.ts';
import { shorten } from './shorten.ts';

const mask = '***';

/** Shapes of keys that are recognised wherever they stand. */
const shapes: readonly RegExp[] = [
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{8,}/g,
  /\b(?:gsk|hf|glpat|npm|xai)[_-][A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{16,}/g,
  /\bxox[a-z]-[A-Za-z0-9-]{8,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bAIza[0-9A-Za-z_-]{20,}/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
  // JSON web tokens.
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
];

/** `scheme credentials`; whether the second word is one is decided by `looksSecret`, for "bearer of news". */
const schemes = /\b(bearer|basic)(\s+)([A-Za-z0-9._~+/=-]{4,})/gi;

/** `name=value`, `name: value` and `"name": "value"` with a name that speaks of a secret. */
const pairs = new RegExp(
  `((?:${plainWords}|(?<!(?:${otherTokens})[-_]?)token)["']?\\s{0,4}[=:]\\s{0,4}["']?)` +
    `((?:(?:bearer|basic)\\s+)?[^\\s"',;&}\\])]{4,})`,
  'gi',
);

/** Of a URL, where names that say too little in prose are those of secrets. */
const parameters = /([?&]([\w.-]{1,64})=)([^&#\s"'<>]+)/g;

/** The part of a URL that stands before the host. */
const userInfo = /(:\/\/)[^/\s@]{1,256}@/g;

/** Texts are masked only as far as anyone will read them; this also bounds the work. */
const longest = 16_384;

/** The text with keys, tokens, passwords and the given exact secrets replaced by `***`; cut at 16,384 characters. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let masked = text.length > longest ? text.slice(0, longest) : text;
  for (const secret of secrets) {
    // Shorter ones are placeholders such as "x", and would mask ordinary words.
    if (secret.length < 4) continue;
    for (const form of formsOf(secret)) masked = masked.replaceAll(form, mask);
  }
  masked = masked.replace(userInfo, `$1${mask}@`);
  masked = masked.replace(pairs, (_whole, name: string) => name + mask);
  masked = masked.replace(parameters, (whole, head: string, name: string) =>
    namesSecret(name) ? head + mask : whole,
  );
  masked = masked.replace(schemes, (whole, scheme: string, gap: string, word: string) =>
    looksSecret(word) ? scheme + gap + mask : whole,
  );
  for (const shape of shapes) masked = masked.replace(shape, mask);
  return masked;
}

/** As it is, as part of a URL, and as part of JSON. */
function formsOf(secret: string): ReadonlySet<string> {
  const quoted = JSON.stringify(secret).slice(1, -1);
  // A half of a sign cannot be part of a URL.
  const isWhole = !/[\ud800-\udfff]/u.test(secret);
  return new Set([secret, quoted, ...(isWhole ? [encodeURIComponent(secret)] : [])]);
}

/** No word of prose: long, or with a digit or a sign in it. */
function looksSecret(word: string): boolean {
  return word.length >= 20 || /[0-9_~+/=]/.test(word);
}

/** The first line that says something, without tags, masked, and within `most` characters. */
export function excerpt(text: string, secrets: readonly string[] = [], most = 200): string {
  const head = redact(text, secrets);
  const plain = head.includes('<') ? withoutTags(head) : head;
  const line = plain.split(/[\r\n]+/).find(candidate => candidate.trim() !== '');
  const tidy = (line ?? '').replace(/\s+/g, ' ').trim();
  return shorten(tidy, most);
}

function withoutTags(html: string): string {
  return html
    .replace(/<(script|style)\b[^<]*(?:<(?!\/\1)[^<]*)*<\/\1>/gi, ' ')
    .replace(/<[A-Za-z/!][^<>]*>/g, ' ');
}
