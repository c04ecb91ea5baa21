/** Tools ready for a library: projected for its models, and one function that runs a call of any of them. */

import { prepareTool, type ReadyTool, toRegistry } from '../../agent/calls/tool-registry.ts';
import { systemClock } from '../../basics/clock.ts';
import { notify } from '../../basics/notify.ts';
import { checkFunction } from '../../basics/option-checks.ts';
import { sketch } from '../../basics/sketch.ts';
import { projectTools } from '../../projection/project-tools.ts';
import type { ProjectedTool } from '../../projection/projection.ts';
import { schemaFault } from '../../schema/schema-error.ts';
import { checkTool } from '../../tools/check-tool.ts';
import type { AnyTool } from '../../tools/tool.ts';
import { isToolSource } from '../../tools/tool-source.ts';
import type { AdapterDefaults, AdapterOptions, Tools } from './adapter-options.ts';
import { AskedCalls } from './asked-calls.ts';
import { type Call, type CallResult, callNeedsApproval, runCall } from './run-call.ts';
import { Turnstile } from './turnstile.ts';

export interface CallableTools {
  /** As the model is shown them. */
  readonly definitions: readonly ProjectedTool[];
  readonly shows: (mimeType: string) => boolean;
  /** See `runCall`. */
  run(call: Call): Promise<CallResult>;
  /** Whether to ask before a call of this tool: never, or by this function. Never where `approve` decides. */
  asksBefore(name: string): ((call: Omit<Call, 'name'>) => Promise<boolean>) | undefined;
}

/**
 * A tool whose schema cannot be used is left out alone. Rejects with what a source rejects with, and with a TypeError
 * for what is no tool and for two tools of one name.
 */
export async function makeCallable(
  tools: Tools,
  options: AdapterOptions,
  defaults: AdapterDefaults,
): Promise<CallableTools> {
  const { name: where } = defaults;
  const {
    shows = defaults.shows,
    clock = systemClock,
    tidy = true,
    approve,
    onDrop,
    onLoss,
    signal,
  } = options;
  for (const [name, value] of Object.entries({ shows, approve, onDrop, onLoss }))
    checkFunction(where, name, value);
  const list = isToolSource(tools) ? await tools.tools({ signal }) : tools;
  if (!Array.isArray(list)) {
    throw new TypeError(`${where}: tools must be a list of tools, or a source of them, got ${sketch(list)}`);
  }
  const ready = prepareAll(list as readonly AnyTool[], where, onDrop);
  const specs = [...ready.values()].map(({ spec }) => spec);
  const projection = projectTools(specs, options.family ?? defaults.family);
  for (const dropped of projection.dropped) notify(onDrop, dropped);
  for (const loss of projection.losses) notify(onLoss, loss);

  // The model knows the tools by what they are called at the provider, and so do the words of a refusal.
  const offered = projection.tools.flatMap(({ name }): readonly ReadyTool<unknown>[] => {
    const tool = ready.get(projection.nameOf(name));
    return tool === undefined ? [] : [{ ...tool, prepared: { ...tool.prepared, name } }];
  });
  const registry = toRegistry(offered, 0);
  const plan = { registry, turnstile: new Turnstile(), clock, tidy, approve, asked: new AskedCalls() };
  return {
    definitions: projection.tools,
    shows,
    run: call => runCall(call, plan),
    asksBefore(name) {
      const needs = registry.tools.get(name)?.needsApproval ?? false;
      if (needs === false || approve !== undefined) return undefined;
      return call => callNeedsApproval({ ...call, name }, plan);
    },
  };
}

/** Those that can be used, by name. */
function prepareAll(
  tools: readonly AnyTool[],
  where: string,
  onDrop: AdapterOptions['onDrop'],
): ReadonlyMap<string, ReadyTool<unknown>> {
  const ready = new Map<string, ReadyTool<unknown>>();
  for (const [index, tool] of tools.entries()) {
    checkTool(where, tool, index);
    const { name } = tool;
    if (ready.has(name)) {
      throw new TypeError(`${where}: two tools are named "${name}"; rename one, or leave it out`);
    }
    try {
      ready.set(name, prepareTool(tool, index, { retries: 0, timeout: undefined }));
    } catch (error) {
      const fault = schemaFault(error instanceof Error && error.cause !== undefined ? error.cause : error);
      notify(onDrop, { tool: name, reason: `its schema cannot be used: ${fault}` });
    }
  }
  return ready;
}
