/**
 * The door of the eras for everybody: what both ends share. Beside it stand `for-clients.ts` and `for-servers.ts`, so
 * that a program loads only its own half.
 */
export { AskedKeys } from './asked-keys.ts';
export type { CallResult, ClientEra, ClientSeat, LogEntry, Router, Visitor } from './era.ts';
export { EraMemory } from './era-memory.ts';
export { isResourceNotFound } from './not-found.ts';
export type { ProbeTimes } from './probe.ts';
export type { StateOptions } from './stateless/state.ts';
export { eraOf, type Revision, revisions } from './versions.ts';
