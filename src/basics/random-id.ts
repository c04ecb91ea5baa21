/** Ids that nobody can guess. */

/** A UUID in one piece: Node glues its own of fourteen, all of which stay in memory as long as it does. */
export function randomId(): string {
  return crypto.randomUUID().split('-').join('-');
}
