/** Keeps out tools that changed after they were approved: against stored hashes, and against the first list. */
import { messageOf } from '../../basics/failure.ts';
import { hashDefinition, type Pins } from './definition-hash.ts';
import { addressOf, type ServedTool } from './served-tool.ts';

/** A tool that is not what was approved. */
export interface Drift {
  readonly server: string;
  readonly tool: string;
  /** `new`: pins are kept and this tool has none. */
  readonly kind: 'changed' | 'new';
  /** The hash that was approved. */
  readonly expected?: string | undefined;
  readonly found: string;
  /** What was approved, when it was seen in this process. */
  readonly before?: ServedTool | undefined;
  readonly now: ServedTool;
}

/** `block` leaves the tool out, `warn` only tells; a function lets it in with `true`, and with nothing else. */
export type OnDrift = 'block' | 'warn' | ((drift: Drift) => boolean | Promise<boolean>);

export interface DriftOptions {
  readonly pinned: Pins | undefined;
  /** `block` when there are pins; without either nothing is compared. */
  readonly onDrift: OnDrift | undefined;
  /** Told once for each new definition. */
  readonly report: (drift: Drift, blocked: boolean) => void;
  /** Most tools that are remembered; 100,000. Without pins no others are let in then: none may be forgotten. */
  readonly most?: number | undefined;
}

interface Approved {
  readonly hash: string;
  readonly tool: ServedTool | undefined;
}

export class DriftGuard {
  readonly #options: DriftOptions;
  readonly #approved = new Map<string, Approved>();
  /** By address: the hash that was judged last, and why it is kept out, if it is. */
  readonly #judged = new Map<string, { readonly hash: string; readonly reason: string | undefined }>();

  /** Judgements that are being made. */
  readonly #asking = new Map<string, Promise<string | undefined>>();

  constructor(options: DriftOptions) {
    this.#options = options;
    for (const [address, hash] of Object.entries(options.pinned ?? {})) {
      this.#approved.set(address, { hash, tool: undefined });
    }
  }

  get #most(): number {
    return this.#options.most ?? 100_000;
  }

  get isOn(): boolean {
    return this.#options.pinned !== undefined || this.#options.onDrift !== undefined;
  }

  /** Why the tool must not be used as it is now; `undefined` when it may. Never rejects. */
  async judge(tool: ServedTool): Promise<string | undefined> {
    if (!this.isOn) return undefined;
    const address = addressOf(tool);
    let found: string;
    try {
      found = await hashDefinition(tool);
    } catch (error) {
      return `its definition cannot be hashed: ${messageOf(error)}`;
    }
    const judged = this.#judged.get(address);
    if (judged?.hash === found) return judged.reason;
    const question = `${found} ${address}`;
    return this.#asking.get(question) ?? this.#ask(tool, address, found, question);
  }

  /** Once for all who want to know: somebody may have to think about it. */
  #ask(tool: ServedTool, address: string, found: string, question: string): Promise<string | undefined> {
    const asking = this.#compare(tool, address, found).then(reason => {
      this.#asking.delete(question);
      const [oldest] = this.#judged.keys();
      // Only what spares a second look; what was approved is kept elsewhere.
      if (this.#judged.size >= this.#most && oldest !== undefined) this.#judged.delete(oldest);
      this.#judged.set(address, { hash: found, reason });
      return reason;
    });
    this.#asking.set(question, asking);
    return asking;
  }

  async #compare(now: ServedTool, address: string, found: string): Promise<string | undefined> {
    const { pinned, onDrift = 'block', report } = this.#options;
    const approved = this.#approved.get(address);
    if (approved === undefined && pinned === undefined && this.#approved.size >= this.#most) {
      return `more than ${this.#most} tools were seen, and it cannot be remembered what this one is`;
    }
    if (approved?.hash === found || (approved === undefined && pinned === undefined)) {
      this.#approved.set(address, { hash: found, tool: now });
      return undefined;
    }
    const drift: Drift = {
      server: now.server,
      tool: now.name,
      kind: approved === undefined ? 'new' : 'changed',
      ...(approved === undefined ? {} : { expected: approved.hash }),
      found,
      ...(approved?.tool === undefined ? {} : { before: approved.tool }),
      now,
    };
    const reason = await decide(drift, onDrift);
    if (reason === undefined) this.#approved.set(address, { hash: found, tool: now });
    report(drift, reason !== undefined);
    return reason;
  }
}

async function decide(drift: Drift, onDrift: OnDrift): Promise<string | undefined> {
  const what =
    drift.kind === 'new' ? 'it is not among the pinned tools' : 'its definition is not the approved one';
  if (onDrift === 'warn') return undefined;
  if (onDrift === 'block') return `${what}; look at it, and pin its hash ${drift.found} when it is right`;
  try {
    return (await onDrift(drift)) === true ? undefined : `${what}, and "onDrift" did not let it in`;
  } catch (error) {
    return `${what}, and "onDrift" failed: ${messageOf(error)}`;
  }
}
