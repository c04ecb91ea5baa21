/** The token that callers over HTTP must send: out of a variable, and needed where others reach the address. */
import { seeHelp } from '../arguments.ts';
import { UsageError } from '../command.ts';
import { type Address, isLoopback } from './read-address.ts';

/** Where it stands unless another variable is named. */
export const usualTokenName = 'TENON_TOKEN';

/** Nothing where the variable is not set or empty. Throws a `UsageError` for what no caller could send. */
export function readToken(
  environment: Readonly<Record<string, string | undefined>>,
  name: string = usualTokenName,
): string | undefined {
  const token = environment[name];
  if (token !== undefined && /\s/.test(token)) {
    throw new UsageError(`${name} must not hold blanks: no caller could send it`);
  }
  return token === '' ? undefined : token;
}

/** Throws a `UsageError` when others than this machine reach the address and nobody would ask them who they are. */
export function checkReach(see: string, { host }: Address, token: string | undefined, name: string): void {
  if (isLoopback(host) || token !== undefined) return;
  throw new UsageError(
    `${host} can be reached by others: set ${name} to what they must send, or listen on 127.0.0.1. ${seeHelp(see)}`,
  );
}
