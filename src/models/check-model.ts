/** The check that something is a model, for whoever is given one. */
import { sketch } from '../basics/sketch.ts';

/** Throws a TypeError unless `value` is a model. */
export function checkModel(where: string, value: unknown): void {
  if (typeof (value as { respond?: unknown } | null | undefined)?.respond === 'function') return;
  throw new TypeError(
    `${where}: model must be a model, such as openai({ … }) or scripted([ … ]), got ${sketch(value)}`,
  );
}
