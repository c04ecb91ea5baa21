/** What extensions put around the calls of tools, joined into one function. */
import type { Call, Outcome } from '../protocol/call.ts';
import type { Extension } from '../protocol/extension.ts';
import type { AnyTool } from '../tools/tool.ts';

type Run = (call: Call) => Promise<Outcome>;
export type Around = (call: Call, tool: AnyTool, run: Run) => Promise<Outcome>;

/** The first extension is the outermost; nothing when none of them stands around calls. */
export function aroundCalls(
  extensions: readonly Extension[],
  report: (message: string, cause: unknown) => void,
): Around | undefined {
  const layers = extensions.flatMap(({ aroundCall }) => (aroundCall ? [aroundCall] : []));
  if (layers.length === 0) return undefined;
  return (call, tool, run) => {
    const whole = layers.reduceRight<Run>(
      (next, layer) => inner => layer(inner, { tool, next, report }),
      run,
    );
    return whole(call);
  };
}
