/** What a trace is made of: steps on a line of time, some inside others. */
import { firstLine } from './read-value.ts';

/**
 * `command`: what was run, when that failed; `call`: of a served tool; `server`: its start; `request`: a message with its
 * answer; `notice`: a message that wants none.
 */
export type StepKind =
  | 'command'
  | 'call'
  | 'run'
  | 'model'
  | 'tool'
  | 'server'
  | 'request'
  | 'notice'
  | 'note';

/** Something that took time, or happened at once. */
export interface TimelineStep {
  readonly kind: StepKind;
  readonly title: string;
  /** What it gave or why it failed, on one line; empty where there is nothing to say. */
  readonly said: string;
  /** How many steps it is inside of. */
  readonly depth: number;
  /** Milliseconds since the start. */
  readonly from: number;
  /** The same as `from` for what happened at once; `undefined` for what never ended. */
  readonly to: number | undefined;
  readonly failed: boolean;
  /** What there is to read about it, by name. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** A step while it is being found out. */
export class StepNode {
  readonly kind: StepKind;
  readonly title: string;
  readonly from: number;
  readonly details: Record<string, unknown>;
  readonly children: StepNode[] = [];
  to: number | undefined;
  failed = false;
  said = '';

  constructor(kind: StepKind, title: string, from: number, details: Readonly<Record<string, unknown>> = {}) {
    this.kind = kind;
    this.title = firstLine(title);
    this.from = from;
    this.details = { ...details };
  }

  add(child: StepNode): StepNode {
    this.children.push(child);
    return child;
  }

  /** Something inside it that happened at once. */
  happen(
    kind: StepKind,
    title: string,
    at: number,
    details: Readonly<Record<string, unknown>> = {},
  ): StepNode {
    const child = new StepNode(kind, title, at, details);
    child.to = at;
    return this.add(child);
  }

  end(at: number, details: Readonly<Record<string, unknown>> = {}): void {
    this.to = Math.max(at, this.from);
    Object.assign(this.details, details);
  }

  fail(why: string): void {
    this.failed = true;
    this.said = why;
  }
}

/** All that is inside `node`, each step before what is inside it, in the order in which they began. */
export function flatten(node: StepNode): readonly TimelineStep[] {
  const steps: TimelineStep[] = [];
  // Not by recursion: a recording may nest as deep as it likes.
  const left = inOrder(node).map(child => ({ child, depth: 0 }));
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { child, depth } = next;
    const { kind, title, said, from, to, failed, details } = child;
    steps.push({ kind, title, said, depth, from, to, failed, details });
    left.push(...inOrder(child).map(inner => ({ child: inner, depth: depth + 1 })));
  }
  return steps;
}

/** Last first. */
function inOrder({ children }: StepNode): StepNode[] {
  return children.toSorted((a, b) => a.from - b.from).reverse();
}
