/** What people are told of the servers of a toolset, as a line; nothing of what goes as it should. */
import { messageOf } from '../../basics/failure.ts';
import type { ToolsetEvent } from '../../bridge/toolset/toolset-events.ts';

type Told<Type> = (event: Extract<ToolsetEvent, { readonly type: Type }>) => string | undefined;

const tellers: { readonly [Type in ToolsetEvent['type']]: Told<Type> | undefined } = {
  server: ({ server: { key, state, error } }) =>
    state === 'failed' ? `the server ${key} cannot be used: ${messageOf(error)}` : undefined,
  drop: ({ server, tool, reason }) => `the tool ${server}/${tool} is left out: ${reason}`,
  drift: ({ drift: { server, tool, kind }, blocked }) => {
    const what = kind === 'changed' ? 'is not what was approved' : 'was not approved';
    return `the tool ${server}/${tool} ${what}${blocked ? ', and is left out' : ''}`;
  },
  unmatched: ({ reason }) => reason,
  // Whoever approves knows what was decided.
  approval: undefined,
  // The list that the model is given next is another one.
  stale: undefined,
  change: undefined,
  loaded: undefined,
  unloaded: undefined,
};

export function tellToolsetEvent<Event extends ToolsetEvent>(event: Event): string | undefined {
  return (tellers[event.type] as ((event: Event) => string | undefined) | undefined)?.(event);
}
