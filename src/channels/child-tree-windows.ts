/** A child and its descendants on Windows, where `taskkill` walks the tree as long as the child itself lives. */
import { childSystem } from './child-system.ts';
import type { EndSignal, ProcessTree } from './child-tree.ts';
import { endTreeOnWindows } from './command-windows.ts';

/** The tree below `pid`. `lives` says whether the child does: its number may be another's as soon as it does not. */
export class WindowsTree implements ProcessTree {
  readonly watchful: boolean = false;
  readonly #pid: number;
  readonly #lives: () => boolean;

  constructor(pid: number, lives: () => boolean) {
    this.#pid = pid;
    this.#lives = lives;
  }

  look(): void {}

  alive(): boolean {
    return this.#lives();
  }

  signal(signal: EndSignal): void {
    if (!this.#lives()) return;
    const { file, args } = endTreeOnWindows(this.#pid, signal === 'SIGKILL', process.env['SystemRoot']);
    childSystem().spawnSync(file, args, { windowsHide: true, stdio: 'ignore', timeout: 5000 });
  }

  kill(): void {
    this.signal('SIGKILL');
  }
}
