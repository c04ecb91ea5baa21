/** The check that something is a tool, for whoever is given a list of them; schemas are checked by who compiles them. */
import { checkMilliseconds, checkNumber } from '../basics/option-checks.ts';

/** Throws a TypeError that names the tool, or its place in the list, and what is wrong with it. */
export function checkTool(where: string, tool: unknown, index: number): void {
  if (typeof tool !== 'object' || tool === null)
    throw new TypeError(`${where}: tools[${index}] is not a tool`);
  const { name, description, run, retries, timeout } = tool as Record<string, unknown>;
  if (typeof name !== 'string' || name === '') throw new TypeError(`${where}: tools[${index}] has no name`);
  const about = `${where}: tool "${name}"`;
  if (typeof description !== 'string') throw new TypeError(`${about} has no description`);
  if (typeof run !== 'function') throw new TypeError(`${about} has no run function`);
  checkNumber(about, 'retries', retries, { integer: true, min: 0 });
  checkMilliseconds(about, 'timeout', timeout);
}
