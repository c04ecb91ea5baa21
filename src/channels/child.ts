/**
 * One child process with pipes: started, listened to, written to, and ended with all that descends from it. What its
 * bytes mean is not known here.
 */
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../basics/clock.ts';
import type { ExitStatus } from '../rpc/connection-error.ts';
import { type Grace, Ladder } from './child-ladder.ts';
import { register } from './child-registry.ts';
import { PosixTree, type ProcessTree } from './child-tree.ts';
import { WindowsTree } from './child-tree-windows.ts';

/** Why a child is of no use any more. The last three: it lives, but cannot be heard, or cannot be told anything. */
export type ChildEnd =
  | { readonly kind: 'exited'; readonly exit: ExitStatus }
  | { readonly kind: 'output-closed' }
  | { readonly kind: 'input-closed' };

/** Where a child's life goes. Nothing here may throw. */
export interface ChildListener {
  output(chunk: Uint8Array): void;
  errorOutput(chunk: Uint8Array): void;
  /** Once, after all output that can be had was delivered; the tree is being ended by then. */
  ended(end: ChildEnd): void;
}

export interface ChildOptions {
  readonly clock: Clock;
  readonly grace: Grace;
  readonly platform: string;
  /** The id of the mark in its environment, by which its descendants are found. */
  readonly mark?: string | undefined;
}

/** How long output is waited for after the exit (a descendant may hold the pipe), and the exit after the output. */
const drainTime = 500;
/** Descendants are noted after the first output, then after pauses that double from the first to the second. */
const firstLook = 1000;
const longestLook = 10_000;
/** What is left of the graces when our own process is told to end, or whoever waits has given up. */
const haste: Grace = { end: 0, term: 500 };

export class Child {
  /** The child's stdin; errors on it end the child and need no handler. */
  readonly input: Writable;
  readonly pid: number;
  readonly #process: ChildProcess;
  readonly #listener: ChildListener;
  readonly #clock: Clock;
  readonly #grace: Grace;
  readonly #tree: ProcessTree;
  readonly #ladder: Ladder;
  readonly #unregister: () => void;
  readonly #streams: readonly Readable[];
  readonly #closed: Promise<void>;
  #exit: ExitStatus | undefined;
  #ended = false;
  #draining = false;
  #stopped: Promise<void> | undefined;
  #nextLook = 0;
  #lookPause = firstLook;

  /** Takes charge of a process that was just spawned. */
  constructor(
    process: ChildProcess & { readonly pid: number; readonly stdin: Writable; readonly stdout: Readable },
    options: ChildOptions,
    listener: ChildListener,
  ) {
    this.#process = process;
    this.#listener = listener;
    this.#clock = options.clock;
    this.#grace = options.grace;
    this.pid = process.pid;
    this.input = process.stdin;
    this.#tree =
      options.platform === 'win32'
        ? new WindowsTree(this.pid, () => this.#exit === undefined)
        : new PosixTree(this.pid, { mark: options.mark });
    this.#ladder = new Ladder({ tree: this.#tree, clock: options.clock, endInput: () => this.input.end() });
    this.#unregister = register({
      kill: () => this.#tree.kill(),
      hurry: () => this.hurry(),
    });
    this.#streams = [process.stdout, process.stderr].filter(stream => stream !== null);
    this.#closed = new Promise(resolve => process.once('close', () => resolve()));
    this.#wire(process.stdout, process.stderr);
  }

  /**
   * Ends the child and its tree: end of input, `end` ms, TERM, `term` ms, KILL. Resolves when all are gone and their
   * output was read; never rejects. A second call can shorten the waits.
   */
  stop(grace: Grace = this.#grace): Promise<void> {
    const descent = this.#ladder.descend(grace);
    this.#stopped ??= this.#free(descent);
    return this.#stopped;
  }

  /** As `stop`, within about half a second. */
  hurry(): Promise<void> {
    return this.stop({ end: haste.end, term: Math.min(haste.term, this.#grace.term) });
  }

  #wire(stdout: Readable, stderr: Readable | null): void {
    stdout.on('data', (chunk: Uint8Array) => {
      this.#listener.output(chunk);
      if (this.#tree.watchful) this.#watch();
    });
    stdout.on('error', () => this.#drain({ kind: 'output-closed' }));
    stdout.once('close', () => this.#drain({ kind: 'output-closed' }));
    stderr?.on('data', (chunk: Uint8Array) => this.#listener.errorOutput(chunk));
    stderr?.on('error', () => {});
    // A child that closed its stdin or died: writing to it fails, which is no accident of ours.
    this.input.on('error', () => this.#drain({ kind: 'input-closed' }));
    // Later errors of the process object, such as a kill that failed, say nothing that its exit does not.
    this.#process.on('error', () => {});
    this.#process.once('exit', (code, signal) => {
      this.#exit = { code, signal };
      this.#ladder.exited();
      this.#drain({ kind: 'exited', exit: this.#exit });
    });
    this.#process.once('close', () => this.#end({ kind: 'output-closed' }));
  }

  /** Waits a moment for what usually comes along: the rest of the output after an exit, the exit after the output. */
  #drain(end: ChildEnd): void {
    if (this.#draining || this.#ended) return;
    this.#draining = true;
    const timer = this.#clock.after(drainTime, () => this.#end(end), true);
    this.#process.once('close', () => timer.cancel());
  }

  #end(end: ChildEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#listener.ended(this.#exit === undefined ? end : { kind: 'exited', exit: this.#exit });
    void this.stop();
  }

  async #free(descent: Promise<void>): Promise<void> {
    await descent;
    // Nobody is left to write, unless somebody escaped with the pipe in hand.
    if (this.#exit !== undefined) await this.#closedSoon();
    for (const stream of this.#streams) stream.destroy();
    this.input.destroy();
    // One that even KILL did not end must not keep our own process from ending.
    this.#process.unref();
    this.#unregister();
  }

  #closedSoon(): Promise<void> {
    return new Promise(resolve => {
      const timer = this.#clock.after(drainTime, resolve, true);
      void this.#closed.then(() => {
        timer.cancel();
        resolve();
      });
    });
  }

  #watch(): void {
    const now = this.#clock.now();
    if (now < this.#nextLook) return;
    this.#nextLook = now + this.#lookPause;
    this.#lookPause = Math.min(this.#lookPause * 2, longestLook);
    this.#tree.look();
  }
}
