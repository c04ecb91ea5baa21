/** The names under which secrets stand: one list for variables, options, headers, parameters, members and texts. */

/** Words that mean a secret wherever they stand before a value, also in prose. */
export const plainWords: string =
  'passw(?:or)?d|passphrase|passcode|secret|credentials?|authorization|cookie|jwt|' +
  '(?:api|access|secret|private|signing|encryption|ssh|shared|account|master|license)[-_]?key';

/** Words that mean one at the end of a name, and other things in prose. */
const endWords = 'pwd|pass|auth|bearer|sig|signature';

/** What stands before `token` where that is a mark or a place in a list, and before `tokens` where these are counted. */
export const otherTokens: string =
  'progress|cancel|cancellation|page|next|continuation|sync|max|min|input|output|prompt|completion|total|cached|' +
  'reasoning|num|of|per|eos|bos|stop';

const start = '(?:^|[-_.\\s])';
const secretName = new RegExp(`${start}(?:${plainWords}|${endWords}|token)s?$|^key$`, 'i');
/** Of names that are written as one word. */
const secretEnd = /(?:token|secret|password|apikey)$/i;
const otherName = new RegExp(`${start}(?:${otherTokens})[-_.\\s]?tokens?$`, 'i');
/** In data these are keys of tables and signatures of functions. */
const bareWord = /^(?:key|sig|signature)s?$/i;
/** A number under these says how many there are, or how many went well. */
const countable = /(?:tokens|keys|cookies|secrets)$|^(?:pass|auth)$/i;

/** True when a thing of this name, such as a variable, an option or a parameter, usually holds a secret. */
export function namesSecret(name: string): boolean {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1-$2');
  return (secretName.test(spaced) || secretEnd.test(name)) && !otherName.test(spaced);
}

/** As `namesSecret`, for variables of an environment, where `PWD` is the folder that a shell is in. */
export function variableHoldsSecret(name: string): boolean {
  return namesSecret(name) && !/^(?:OLD)?PWD$/i.test(name);
}

/** What is secret of a value under this name in data: texts and numbers, texts alone, or neither. */
export function secretPart(name: string): 'all' | 'texts' | 'none' {
  if (bareWord.test(name) || !namesSecret(name)) return 'none';
  return countable.test(name) ? 'texts' : 'all';
}
