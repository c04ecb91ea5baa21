/** What the options of a toolset come to: the desk that calls pass, and the rules by which tools are chosen. */
import type { Clock } from '../../basics/clock.ts';
import { CallDesk } from './call-desk.ts';
import { DriftGuard } from './drift-guard.ts';
import { searchToolNames } from './search-tools.ts';
import type { CatalogFacts } from './tool-catalog.ts';
import { compileFilter, type ToolFilter, type ToolTest } from './tool-filter.ts';
import type { ToolsetEvent } from './toolset-events.ts';
import type { ToolsetOptions } from './toolset-options.ts';
import { watchPatterns } from './toolset-unmatched.ts';

export interface PartFacts {
  readonly clock: Clock;
  readonly life: AbortSignal;
  readonly tell: (event: ToolsetEvent) => void;
}

export function makeDesk({ approve, wrap = [] }: ToolsetOptions, { clock, tell }: PartFacts): CallDesk {
  return new CallDesk({
    clock,
    approval: approve,
    wraps: typeof wrap === 'function' ? [wrap] : wrap,
    onApproval: ({ server, tool }, allowed, reason) =>
      tell({ type: 'approval', server, tool, allowed, ...(reason === undefined ? {} : { reason }) }),
  });
}

export function makeCatalogFacts(options: ToolsetOptions, desk: CallDesk, facts: PartFacts): CatalogFacts {
  const { trustAnnotations = false, definitionBudget, reserved = [], pinned, onDrift } = options;
  const isTrusted = (server: string): boolean =>
    typeof trustAnnotations === 'boolean' ? trustAnnotations : trustAnnotations.includes(server);
  const test = (filter: ToolFilter | undefined, otherwise: ToolTest): ToolTest =>
    filter === undefined ? otherwise : compileFilter(filter, isTrusted);
  const { clock, life, tell } = facts;
  return {
    filter: test(options.filter, () => true),
    needsApproval: test(
      options.needsApproval,
      ({ server, annotations }) =>
        options.approve !== undefined && !(isTrusted(server) && annotations?.readOnlyHint === true),
    ),
    alwaysShow: test(options.alwaysShow, () => false),
    adjust: options.adjust,
    maxTools: options.maxTools ?? 1_000,
    watched: watchPatterns(options),
    names: {
      prefix: options.prefix ?? 'on-collision',
      separator: options.separator ?? '__',
      reserved: definitionBudget === undefined ? reserved : [...reserved, ...Object.values(searchToolNames)],
    },
    guard: new DriftGuard({
      pinned,
      onDrift,
      report: (drift, blocked) => tell({ type: 'drift', drift, blocked }),
    }),
    desk,
    clock,
    life,
  };
}
