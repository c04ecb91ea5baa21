/** `--check`: whether a configuration can be served, without serving it. */
import { seeHelp } from '../../arguments.ts';
import { UsageError } from '../../command.ts';
import type { Terminal } from '../../terminal.ts';
import { type ReadFile, tellFaults, usualFile } from './read-file.ts';
import { servedNames, summarize } from './summary.ts';

export interface CheckFacts {
  readonly json: boolean;
  readonly terminal: Pick<Terminal, 'print'>;
  readonly see: string;
}

/** Resolves with the exit code. Throws a `UsageError` for a faulty file, unless it is told as JSON, and for none. */
export async function checkFile(
  read: ReadFile | undefined,
  { json, terminal, see }: CheckFacts,
): Promise<number> {
  if (read === undefined) {
    const where = `there is no ${usualFile} in this folder`;
    throw new UsageError(`nothing to check: ${where}; name the file. ${seeHelp(see)}`);
  }
  const { ok, file } = read;
  if (json) {
    const told = ok ? { serves: servedNames(read.config), errors: [] } : { serves: [], errors: read.faults };
    terminal.print(JSON.stringify({ file, ok, ...told }, null, 2));
    return ok ? 0 : 2;
  }
  if (!read.ok) throw new UsageError(tellFaults(read));
  const head = `${file} can be served: ${servedNames(read.config).join(', ')}`;
  terminal.print([head, ...(await summarize(read)).slice(1)].join('\n'));
  return 0;
}
