/** What a run shows of the conversation before it: all of it, or its newest exchanges and a summary of the rest. */
import { raceAbort } from '../../basics/abort.ts';
import { printJson } from '../../basics/json.ts';
import { checkUsage } from '../../models/check-usage.ts';
import type { ModelMessage, Usage } from '../../models/model.ts';
import { splitHistory, type TrimOptions } from './trim-history.ts';

/** A summary, and what it cost when that is to count for the run. */
export type Summary = string | { readonly text: string; readonly usage?: Usage | undefined };

/** Asked for what stands in place of messages that are not shown. Once for the same messages, over all runs of an agent. */
export type Summarizer = (
  dropped: readonly ModelMessage[],
  context: { readonly signal: AbortSignal | undefined },
) => Summary | Promise<Summary>;

export interface HistoryView {
  readonly trim: TrimOptions | undefined;
  readonly summarize: Summarizer | undefined;
  /** Summaries by what they are of; the oldest go first. */
  readonly known: Map<string, string>;
}

/** What one run shows; decided once, so that the beginning stays the same from turn to turn. */
export interface ShownHistory {
  readonly dropped: number;
  readonly usage: Usage | undefined;
  readonly shown: (messages: readonly ModelMessage[]) => readonly ModelMessage[];
}

const mostKnown = 100;

/** Rejects with what the summariser rejects with, or with the signal's reason. */
export async function openView(
  view: HistoryView,
  opening: readonly ModelMessage[],
  { signal, maxResultTokens }: { readonly signal: AbortSignal | undefined; readonly maxResultTokens: number },
): Promise<ShownHistory> {
  const { kept, dropped } = splitHistory(opening, view.trim ?? {}, maxResultTokens);
  if (dropped.length === 0) return { dropped: 0, usage: undefined, shown: messages => messages };
  const length = opening.length;
  const { text, usage } = await summaryOf(view, dropped, signal);
  const first = kept.findIndex(message => message.role !== 'system');
  const summary: readonly ModelMessage[] = text === '' ? [] : [{ role: 'user', content: lead + text }];
  const start = [...kept.slice(0, first), ...summary, ...kept.slice(first)];
  return { dropped: dropped.length, usage, shown: messages => [...start, ...messages.slice(length)] };
}

const lead = 'Summary of the conversation before this:\n';

async function summaryOf(
  { summarize, known }: HistoryView,
  dropped: readonly ModelMessage[],
  signal: AbortSignal | undefined,
): Promise<{ readonly text: string; readonly usage?: Usage | undefined }> {
  if (summarize === undefined) return { text: '' };
  const key = await digest(printJson(dropped));
  const before = known.get(key);
  if (before !== undefined) return { text: before };
  signal?.throwIfAborted();
  const asked = (async () => await summarize(dropped, { signal }))();
  const summary = await raceAbort(asked, signal);
  const { text, usage } = typeof summary === 'string' ? { text: summary, usage: undefined } : summary;
  if (typeof text !== 'string') throw new TypeError('summarize must give text, or an object with text');
  if (usage !== undefined) checkUsage(usage, 'summarize');
  known.set(key, text);
  for (const oldest of known.keys()) if (known.size > mostKnown) known.delete(oldest);
  return { text, usage };
}

async function digest(text: string): Promise<string> {
  const bytes = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('');
}
