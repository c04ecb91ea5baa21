/** A toolset at work: asks its servers when their lists are due, builds the catalogue, and tells what changed. */
import { linkAbort, onAbort } from '../../basics/abort.ts';
import { systemClock } from '../../basics/clock.ts';
import { messageOf, TenonError } from '../../basics/failure.ts';
import { notify } from '../../basics/notify.ts';
import { ConnectionError } from '../../rpc/connection-error.ts';
import type { AnyTool } from '../../tools/tool.ts';
import { hashDefinition, type Pins } from './definition-hash.ts';
import { DefinitionShelf } from './definition-shelf.ts';
import type { DroppedTool } from './served-tool.ts';
import { ServerSeat } from './server-seat.ts';
import type { KeyedSource } from './server-sources.ts';
import type { ServerStatus } from './server-status.ts';
import { SharedWork } from './shared-work.ts';
import { type CatalogEntry, ToolCatalog } from './tool-catalog.ts';
import type { Toolset, ToolsetRequest } from './toolset.ts';
import type { ToolsetEvent } from './toolset-events.ts';
import type { ToolsetOptions } from './toolset-options.ts';
import { makeCatalogFacts, makeDesk } from './toolset-parts.ts';

export class LiveToolset implements Toolset {
  readonly #options: ToolsetOptions;
  readonly #life = new AbortController();
  readonly #seats: readonly ServerSeat[];
  readonly #catalog: ToolCatalog;
  readonly #shelf: DefinitionShelf | undefined;
  readonly #updating: SharedWork<void>;
  /** What the catalogue was built from: the versions of the seats. */
  #built: readonly number[] | undefined;
  #list: { readonly entries: readonly CatalogEntry[]; readonly tools: readonly AnyTool[] } | undefined;
  /** Whether anybody had a list, from which the next can differ. */
  #isGiven = false;
  #reported: ReadonlySet<string> = new Set();
  #closing: Promise<void> | undefined;

  constructor(sources: readonly KeyedSource[], options: ToolsetOptions) {
    this.#options = options;
    const { clock = systemClock, definitionBudget } = options;
    const life = this.#life.signal;
    // Its calls wait for the same signal: with one who always waits none of them puts a listener on it and takes it off.
    onAbort(life, () => {});
    const tell = (event: ToolsetEvent): void => notify(options.onEvent, event);
    this.#seats = sources.map(source => {
      const seat: ServerSeat = new ServerSeat(source, {
        clock,
        timeout: options.loadTimeout ?? 30_000,
        maxAge: options.maxAge ?? Number.POSITIVE_INFINITY,
        life,
        onState: () => tell({ type: 'server', server: this.#statusOf(seat) }),
        onStale: () => tell({ type: 'stale', server: source.key }),
      });
      return seat;
    });
    const desk = makeDesk(options, { clock, life, tell });
    this.#catalog = new ToolCatalog(this.#seats, makeCatalogFacts(options, desk, { clock, life, tell }));
    if (definitionBudget !== undefined) {
      const shelf = new DefinitionShelf(definitionBudget, (type, tool) => tell({ type, tool }));
      desk.onUse = address => shelf.use(address);
      this.#shelf = shelf;
    }
    this.#updating = new SharedWork(signal => this.#update(signal));
  }

  async tools({ signal }: ToolsetRequest = {}): Promise<readonly AnyTool[]> {
    this.#throwIfClosed();
    signal?.throwIfAborted();
    if (this.#isDue()) await this.#join(signal);
    this.#throwIfNothingWorked();
    return this.#offer();
  }

  async refresh({ signal }: ToolsetRequest = {}): Promise<readonly AnyTool[]> {
    this.#throwIfClosed();
    signal?.throwIfAborted();
    for (const seat of this.#seats) seat.retry();
    await this.#join(signal);
    // What ran already when it was joined may have been past a list that had to be read again.
    return this.tools({ signal });
  }

  servers(): readonly ServerStatus[] {
    return this.#seats.map(seat => this.#statusOf(seat));
  }

  dropped(): readonly DroppedTool[] {
    return this.#catalog.now.dropped;
  }

  async pins(request: ToolsetRequest = {}): Promise<Pins> {
    await this.tools(request);
    const hashes = this.#catalog.now.candidates.map(
      async ({ address, served }) => [address, await hashDefinition(served)] as const,
    );
    return Object.fromEntries(await Promise.all(hashes));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const reason = closedError();
    this.#life.abort(reason);
    await Promise.all(this.#seats.map(seat => seat.close(reason)));
  }

  #isDue(): boolean {
    return this.#seats.some(seat => seat.isDue) || !this.#isCurrent();
  }

  #isCurrent(): boolean {
    return (
      this.#built !== undefined && this.#seats.every((seat, index) => seat.version === this.#built?.[index])
    );
  }

  /** Waits for the update that runs, or for a new one; as long as the caller and the toolset live. */
  async #join(signal: AbortSignal | undefined): Promise<void> {
    const controller = new AbortController();
    const unlink = linkAbort([this.#life.signal, signal], controller);
    try {
      await this.#updating.join(controller.signal);
    } finally {
      unlink();
    }
  }

  async #update(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#seats.map(seat => seat.load(signal)));
    const versions = this.#seats.map(seat => seat.version);
    const { added, removed, changed } = await this.#catalog.build(signal);
    this.#built = versions;
    this.#reportDrops();
    if (this.#isGiven && added.length + removed.length + changed.length > 0) {
      notify(this.#options.onEvent, { type: 'change', added, removed, changed });
    }
  }

  /** Each is told of once for as long as it is left out, or means nothing, for that reason. */
  #reportDrops(): void {
    const { dropped, unmatched } = this.#catalog.now;
    const before = this.#reported;
    const keyOf = ({ server, tool, reason }: DroppedTool): string => JSON.stringify([server, tool, reason]);
    const reasons = unmatched.map(({ reason }) => reason);
    this.#reported = new Set([...dropped.map(keyOf), ...reasons]);
    for (const each of unmatched) {
      if (!before.has(each.reason)) notify(this.#options.onEvent, { type: 'unmatched', ...each });
    }
    for (const drop of dropped) {
      if (before.has(keyOf(drop))) continue;
      notify(this.#options.onDrop, drop);
      notify(this.#options.onEvent, { type: 'drop', ...drop });
    }
  }

  #offer(): readonly AnyTool[] {
    this.#isGiven = true;
    const { entries } = this.#catalog.now;
    if (this.#shelf) return this.#shelf.offer(entries);
    if (this.#list?.entries !== entries) this.#list = { entries, tools: entries.map(({ tool }) => tool) };
    return this.#list.tools;
  }

  #statusOf(seat: ServerSeat): ServerStatus {
    const { entries, cuts } = this.#catalog.now;
    const own = entries.filter(({ candidate }) => candidate.served.server === seat.key);
    const cut = cuts.get(seat.key);
    const name = seat.link.client?.server.name;
    return {
      key: seat.key,
      ...(name === undefined ? {} : { name }),
      ...seat.state,
      tools: own.length,
      ...(cut === undefined ? {} : { cut }),
      tokens: own.reduce((sum, { tokens }) => sum + tokens, 0),
    };
  }

  #throwIfClosed(): void {
    if (this.#life.signal.aborted) throw this.#life.signal.reason;
  }

  /** Going on without any tool would hide from an agent's author that nothing is set up right. */
  #throwIfNothingWorked(): void {
    if (this.#seats.length === 0 || this.#seats.some(({ list }) => list !== undefined)) return;
    const errors = this.#seats.map(seat => seat.state.error);
    const [first] = errors;
    if (errors.length === 1) throw first;
    const all = this.#seats.map(({ key }, index) => `${key}: ${messageOf(errors[index])}`).join('; ');
    throw new TenonError(`toolset: none of the ${errors.length} servers can be used: ${all}`, {
      cause: first,
    });
  }
}

function closedError(): ConnectionError {
  return new ConnectionError('the toolset is closed', {
    phase: 'close',
    reason: 'toolset-closed',
    outcome: 'not-sent',
    hint: 'Make a new one; close it when the last agent that uses it is done.',
  });
}
