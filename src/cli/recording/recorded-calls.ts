/** Records the calls of served tools: what each was asked, what happened in it, and what came of it. */
import type { ServedObserver } from '../../bridge/serving/served-events.ts';
import type { ToolContext } from '../../tools/context.ts';
import { isNeedInput } from '../../tools/need-input.ts';
import type { Tool } from '../../tools/tool.ts';
import type { CallEvent } from './line.ts';
import type { Recorder } from './recorder.ts';

export interface RecordedCalls {
  /** The same tool, each call of which is recorded. */
  tool(tool: Tool): Tool;
  /** Give it to what makes the tools. */
  readonly observe: ServedObserver;
  /** Takes what belongs to no call, such as events of a toolset. */
  readonly event: (event: object) => void;
}

export function recordCalls(recorder: Pick<Recorder, 'event'>): RecordedCalls {
  const numbers = new WeakMap<ToolContext, number>();
  const tell = (event: CallEvent): void => recorder.event(event);
  let calls = 0;
  return {
    event: recorder.event,
    observe: (event, ctx) => tell({ type: 'call-event', call: numbers.get(ctx) ?? 0, event }),
    tool: tool => ({
      ...tool,
      async run(args, ctx) {
        calls += 1;
        const call = calls;
        numbers.set(ctx, call);
        const resumed = ctx.memo !== undefined;
        tell({ type: 'call-start', call, tool: tool.name, arguments: args, resumed });
        try {
          const result = await tool.run(args, ctx);
          tell({ type: 'call-end', call, ...outcomeOf(result) });
          return result;
        } catch (error) {
          tell({ type: 'call-end', call, isError: true, error });
          throw error;
        }
      },
    }),
  };
}

function outcomeOf(result: unknown): Pick<CallEvent & { type: 'call-end' }, 'isError' | 'result' | 'asks'> {
  if (isNeedInput(result)) return { isError: false, asks: Object.keys(result.questions) };
  const { isError = false } = Object(result) as { readonly isError?: boolean };
  return { isError, result };
}
