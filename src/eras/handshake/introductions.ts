/** What clients say of themselves in `initialize`, kept once for all who say the same: clients are many, programs few. */
import { readInfo, readObject } from '../../protocol/identity.ts';
import type { ClientView } from '../../tools/context.ts';
import { printOf } from './print.ts';
import { factsOfRevision, latestFacts, type RevisionFacts } from './revisions.ts';

export interface Introduction {
  readonly facts: RevisionFacts;
  readonly client: ClientView;
  /** Tells a repetition from a change of mind, where the text is not kept. */
  readonly print: string;
}

/** How many are shared, the latest, and how long one may be, in characters of its JSON. */
const most = { shared: 64, characters: 1024 };
const shared = new Map<string, Introduction>();

/** Reads `[protocolVersion, clientInfo, capabilities]` as JSON. What it gives may be others' too, and is frozen. */
export function introductionOf(text: string): Introduction {
  const known = shared.get(text);
  if (known) return known;
  const [revision, info, capabilities] = JSON.parse(text, (_key, value: unknown) => Object.freeze(value));
  const made = readIntroduction(revision, info, capabilities, printOf(text));
  if (text.length > most.characters) return made;
  if (shared.size >= most.shared) for (const oldest of shared.keys()) if (shared.delete(oldest)) break;
  shared.set(text, made);
  return made;
}

/** A revision that is not known is answered with the newest; the client decides whether it can go on. */
export function readIntroduction(
  revision: unknown,
  info: unknown,
  capabilities: unknown,
  print: string,
): Introduction {
  const facts = factsOfRevision(revision) ?? latestFacts;
  const client = {
    info: Object.freeze(readInfo(info)),
    capabilities: Object.freeze(readObject(capabilities)),
    revision: facts.revision,
  };
  return { facts, client: Object.freeze(client), print };
}
