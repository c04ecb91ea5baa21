/** The way that the system takes to a file: the folders in which a change makes its path lead elsewhere. */
import { readlinkSync, statSync } from 'node:fs';
import { join, parse, resolve, sep } from 'node:path';

export interface WayFolder {
  readonly path: string;
  /** Tells it from another folder that stands there later. */
  readonly identity: string;
  /** Of its entries those that the way goes through. */
  readonly names: ReadonlySet<string>;
}

/** As many links as systems follow. */
const mostLinks = 40;

/** How many of the last steps count where no link is: the file, its folder, and the one around that. */
const lastSteps = 3;

/** From the outermost to the one that holds the file; where something is missing, to the last that is there. */
export function wayTo(file: string): readonly WayFolder[] {
  const folders = new Map<string, Set<string>>();
  let [at, rest] = stepsOf(file);
  for (let links = 0; rest.length > 0 && links <= mostLinks; ) {
    const [name = '', ...more] = rest;
    const path = join(at, name);
    const target = linkOf(path);
    const isMissing = target === undefined && more.length > 0 && !isThere(path);
    if (target !== undefined || isMissing || rest.length <= lastSteps) {
      const names = folders.get(at) ?? new Set();
      // The place in the order is that of its last step.
      folders.delete(at);
      folders.set(at, names.add(name));
    }
    if (isMissing) break;
    if (target === undefined) [at, rest] = [path, more];
    else {
      links += 1;
      const [root, steps] = stepsOf(resolve(at, target));
      [at, rest] = [root, [...steps, ...more]];
    }
  }
  return [...folders].map(([path, names]) => ({ path, names, identity: identityOf(path) }));
}

function stepsOf(path: string): [root: string, steps: string[]] {
  const { root } = parse(path);
  return [
    root,
    path
      .slice(root.length)
      .split(sep)
      .filter(step => step !== ''),
  ];
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function identityOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}:${found.ino}`;
}
