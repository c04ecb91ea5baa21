/** `tenon completion`: what has a shell complete commands, options, servers and tools. */
import { seeHelp } from '../arguments.ts';
import { type Command, UsageError } from '../command.ts';
import { commands } from '../command-table.ts';
import type { Terminal } from '../terminal.ts';
import { type Completion, complete } from './completion/complete.ts';
import { scripts } from './completion/scripts.ts';
import { sources } from './completion/sources.ts';
import { afterBreaks, splitLine } from './completion/split-line.ts';

const see = 'tenon completion';

const help = `Usage: tenon completion <bash|zsh|fish>

Prints what has the shell complete commands, options, the names of configured
servers, and of those that were looked at before their tools and arguments. It
starts no server, asks none, and reads configuration files alone.

  bash  in ~/.bashrc                   eval "$(tenon completion bash)"
  zsh   in ~/.zshrc, after compinit    eval "$(tenon completion zsh)"
  fish  in ~/.config/fish/config.fish  tenon completion fish | source

Options:
  -h, --help         Show this
  --words -- <word>  What the scripts ask: what the last of these words may be,
                     one to a line after what kind it is
  --line <text>      The same of a line as it was typed
  --breaks <signs>   Where the shell splits words beside blanks

What tools servers have is remembered in ~/.cache/tenon when tenon tools or
tenon call lists them.

Exit codes: 0 done, 2 wrong use.`;

export const completionCommand: Command = {
  help,
  options: { words: { type: 'boolean' }, line: { type: 'string' }, breaks: { type: 'string' } },
  operands: { most: 1, commandLine: true },
  async run({ words: [shell], values: { words, line, breaks }, commandLine = [] }, terminal) {
    const typed = typeof line === 'string' ? splitLine(line) : words === true ? commandLine : undefined;
    if (typed !== undefined) {
      const found = await complete(typed, { commands, sources });
      print(found, typed.at(-1) ?? '', typeof breaks === 'string' ? breaks : '', terminal);
      return 0;
    }
    const script = shell !== undefined && Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (script === undefined) {
      const got = shell === undefined ? '' : `, got ${JSON.stringify(shell)}`;
      throw new UsageError(`which shell? One of ${Object.keys(scripts).join(', ')}${got}. ${seeHelp(see)}`);
    }
    terminal.print(script);
    return 0;
  },
};

function print(found: Completion, current: string, breaks: string, terminal: Pick<Terminal, 'print'>): void {
  const [kind, candidates] = typeof found === 'string' ? [found, []] : ['words', found];
  const lines = candidates.map(({ value, about }) => `${afterBreaks(value, current, breaks)}\t${about}`);
  terminal.print([kind, ...lines].join('\n'));
}
