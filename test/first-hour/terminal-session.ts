/** A shell that is typed into line by line, as at a terminal: what one line sets holds for the next. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Typed {
  readonly code: number;
  readonly output: string;
}

export class TerminalSession {
  readonly #shell: ChildProcess;
  readonly #closed: Promise<unknown>;
  #said = '';
  #heard: () => void = () => {};

  constructor(folder: string, environment: Readonly<Record<string, string>>) {
    // A group of its own, as a terminal gives it, so that Ctrl-C reaches what runs in it and nothing else.
    this.#shell = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env: environment, detached: true });
    this.#closed = once(this.#shell, 'close');
    for (const stream of [this.#shell.stdout, this.#shell.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#said += text;
        this.#heard();
      });
    }
    void this.#closed.then(() => this.#heard());
    this.#shell.stdin?.write('exec 2>&1\n');
  }

  /** Types a line and waits until it is done. */
  async type(line: string): Promise<Typed> {
    const mark = `-- done ${crypto.randomUUID()}`;
    this.#write(line);
    // The next line finds the exit code of this one.
    this.#shell.stdin?.write(`code=$?; printf '\\n%s %s\\n' '${mark}' "$code"; (exit "$code")\n`);
    const [output = '', rest = ''] = (await this.until(new RegExp(`\\n${mark} \\d+\\n$`))).split(
      `\n${mark} `,
    );
    return { code: Number(rest), output };
  }

  /** Types a line that goes on for good; the terminal closes when it ends all the same. */
  start(line: string): void {
    this.#write(line);
    this.#shell.stdin?.write('exit\n');
  }

  #write(line: string): void {
    this.#said = '';
    this.#shell.stdin?.write(`{ ${line}\n} </dev/null\n`);
  }

  /** What was said since the last line was typed, once it reads like that; rejects when the shell ends before. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.#said)) {
      if (this.#shell.exitCode !== null || this.#shell.signalCode !== null) {
        throw new Error(`the terminal was closed after:\n${this.#said}`);
      }
      await new Promise<void>(resolve => {
        this.#heard = resolve;
      });
    }
    return this.#said;
  }

  /** Ctrl-C; resolves when what ran there is gone, and the shell with it. */
  async interrupt(): Promise<void> {
    this.#signal('SIGINT');
    this.#shell.stdin?.end();
    await this.#closed;
  }

  /** Ends whatever is left. */
  async close(): Promise<void> {
    this.#signal('SIGKILL');
    await this.#closed;
  }

  #signal(name: NodeJS.Signals): void {
    const { pid, exitCode, signalCode } = this.#shell;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    process.kill(-pid, name);
  }
}
