/** Runs something at the end of the current macrotask, on every runtime. */

const immediate: unknown = (globalThis as { setImmediate?: unknown }).setImmediate;

/** Calls `run` once everything that is already due as a microtask has run. */
export function nextTurn(run: () => void): void {
  if (typeof immediate === 'function') (immediate as (run: () => void) => void)(run);
  else setTimeout(run, 0);
}
