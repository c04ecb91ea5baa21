/** Every protocol revision in order, and the era it belongs to. */

/** A published revision of the protocol. */
export type Revision = '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28';

export type EraName = 'handshake' | 'stateless';

const table: readonly (readonly [Revision, EraName])[] = [
  ['2024-11-05', 'handshake'],
  ['2025-03-26', 'handshake'],
  ['2025-06-18', 'handshake'],
  ['2025-11-25', 'handshake'],
  ['2026-07-28', 'stateless'],
];

/** All revisions, oldest first. */
export const revisions: readonly Revision[] = table.map(([revision]) => revision);

/** The era of a revision; nothing for one that is not known here. */
export function eraOf(revision: unknown): EraName | undefined {
  return table.find(([known]) => known === revision)?.[1];
}

/** The revisions of one era, newest first. */
export function revisionsOf(era: EraName): readonly Revision[] {
  return table.flatMap(([revision, its]) => (its === era ? [revision] : [])).reverse();
}

/** The newest revision of an era. */
export function latestOf(era: EraName): Revision {
  const [latest] = revisionsOf(era);
  if (!latest) throw new TypeError(`no revision is known of the era ${era}`);
  return latest;
}

const newest = { handshake: latestOf('handshake'), stateless: latestOf('stateless') };

/** True for a text that is a date later than every revision of the era: a newer revision, known here or not. */
export function isLaterThan(era: EraName, revision: string | undefined): boolean {
  return revision !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(revision) && revision > newest[era];
}
