/** Words that mean the same in the names of tools and in questions: what is done, and a few things with two names. */

/** What can be done. A word may stand in several; the name of a group is its first word. */
const actions = [
  'create add make new insert register open start begin build write compose draft generate schedule book set invite',
  'delete remove erase drop destroy discard purge clear trash cancel wipe rid',
  'list enumerate browse show index overview',
  'get read fetch show view display retrieve see open load describe inspect give tell check detail',
  'search find query look lookup locate seek filter',
  'update change edit modify rename set adjust patch alter revise correct fix move replace amend',
  'send post publish deliver notify share forward submit',
  'export download save dump extract',
  'import upload load ingest',
  'run execute start trigger launch invoke perform',
  'stop halt end terminate abort cancel',
  'copy duplicate clone',
  'archive store',
];

/** Where no tool does what was asked for, what comes close to it. */
const close: Readonly<Record<string, readonly string[]>> = {
  list: ['search', 'get'],
  get: ['search', 'list'],
  search: ['list', 'get'],
  send: ['create'],
  run: ['create'],
  stop: ['delete'],
};

const things = [
  'email mail',
  'image picture photo',
  'folder directory',
  'customer client',
  'issue bug',
  'database db',
  'repository repo',
];

const actionsOf = groupsOf(actions);
const thingsOf = groupsOf(things);

/** A meaning as a word that no text has. */
export type Meaning = `@${string}`;

/** What the word says is done; empty when it says nothing of the kind. */
export function actionsIn(word: string): readonly Meaning[] {
  return actionsOf.get(stem(word)) ?? [];
}

export function thingsIn(word: string): readonly Meaning[] {
  return thingsOf.get(stem(word)) ?? [];
}

export function closeTo(action: Meaning): readonly Meaning[] {
  return (close[action.slice(1)] ?? []).map(name => `@${name}` as const);
}

function groupsOf(groups: readonly string[]): ReadonlyMap<string, readonly Meaning[]> {
  const meanings = new Map<string, Meaning[]>();
  for (const group of groups) {
    const words = group.split(' ');
    for (const word of words) {
      const known = meanings.get(stem(word)) ?? [];
      meanings.set(stem(word), [...known, `@${words[0] ?? word}`]);
    }
  }
  return meanings;
}

/** Near enough for verbs in English: `delete`, `deleted` and `deleting` are one. */
function stem(word: string): string {
  return word.replace(/(?<=\p{L}{3})(?:ing|ed|e)$/u, '');
}
