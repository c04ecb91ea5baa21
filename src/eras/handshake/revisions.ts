/** What each revision of the handshake era can express, as a table; code asks the row and never compares dates. */
import { type Revision, revisionsOf } from '../versions.ts';

export interface RevisionFacts {
  readonly revision: Revision;
  /** Several messages may come in one array. */
  readonly batches: boolean;
  /** Progress may carry a text. */
  readonly progressMessage: boolean;
  /** Audio is a kind of content. */
  readonly audio: boolean;
  /** Tools may carry hints on their effects. */
  readonly toolAnnotations: boolean;
  /** Tools have titles and output schemas; results have structured data and links to resources. */
  readonly structuredContent: boolean;
  /** Implementations, tools and other things may have icons. */
  readonly icons: boolean;
  /** An event stream may begin with an event that has an id and no data. */
  readonly primedStreams: boolean;
}

const oldest: RevisionFacts = {
  revision: '2024-11-05',
  batches: false,
  progressMessage: false,
  audio: false,
  toolAnnotations: false,
  structuredContent: false,
  icons: false,
  primedStreams: false,
};
const second: RevisionFacts = {
  ...oldest,
  revision: '2025-03-26',
  batches: true,
  progressMessage: true,
  audio: true,
  toolAnnotations: true,
};
const third: RevisionFacts = {
  ...second,
  revision: '2025-06-18',
  batches: false,
  structuredContent: true,
};
const fourth: RevisionFacts = { ...third, revision: '2025-11-25', icons: true, primedStreams: true };

const rows: readonly RevisionFacts[] = [fourth, third, second, oldest];

/** The row of a revision; nothing for one that is not of this era. */
export function factsOfRevision(revision: unknown): RevisionFacts | undefined {
  return rows.find(row => row.revision === revision);
}

/** The row of the newest revision. */
export const latestFacts: RevisionFacts = fourth;

/** The revisions of this era, newest first. */
export const handshakeRevisions: readonly Revision[] = revisionsOf('handshake');

/** Error numbers of this era. */
export const handshakeCodes: { readonly resourceNotFound: -32002 } = { resourceNotFound: -32002 };
