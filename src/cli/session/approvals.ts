/** Asks the person at the terminal before a tool runs; where nobody is there, nothing runs that was not allowed. */
import type { ToolApprovalRequest, ToolsetApproval } from '../../bridge/toolset/call-approval.ts';
import type { ApprovalDecision } from '../../patterns/approval/approval.ts';
import type { Asker, Dialogue } from '../asking/asker.ts';
import { showValue } from '../print.ts';
import type { Terminal } from '../terminal.ts';

/** Arguments that are longer are shown in full only when that is asked for. */
const mostShown = 1500;

export function approveAt(asker: Asker | undefined, terminal: Terminal): ToolsetApproval {
  const always = new Set<string>();
  return {
    sequential: true,
    async ask({ server, tool, arguments: args, signal }: ToolApprovalRequest): Promise<ApprovalDecision> {
      const address = `${server}/${tool}`;
      // Names that only look alike must not pass for each other.
      const shown = showValue(address).slice(1, -1);
      if (always.has(address)) return true;
      if (asker !== undefined) {
        return asker.converse(dialogue => decide(dialogue, shown, args, () => always.add(address)), signal);
      }
      terminal.warn(
        `${shown} was not run: there is no terminal to approve it at; give --allow ${showValue(tool)}, or --yes for all tools`,
      );
      return { allow: false, reason: 'nobody is there to approve it' };
    },
  };
}

/** Nothing but a clear yes is one. */
async function decide(
  { say, ask }: Dialogue,
  address: string,
  args: unknown,
  remember: () => void,
): Promise<ApprovalDecision> {
  const shown = showValue(args);
  const isCut = shown.length > mostShown;
  say(`Run ${address}?`);
  say(`  ${isCut ? `${shown.slice(0, mostShown)} … ${shown.length - mostShown} more characters` : shown}`);
  for (;;) {
    const line = await ask(`[y]es, [n]o, [a]lways this tool${isCut ? ', [s]how all' : ''}: `, {
      isFresh: true,
    });
    switch (line?.trim().toLowerCase()) {
      case 'y':
      case 'yes':
        return true;
      case 'a':
      case 'always':
        remember();
        return true;
      case undefined:
      case 'n':
      case 'no':
        return { allow: false, reason: 'the person at the terminal said no' };
      case 's':
        say(`  ${shown}`);
    }
  }
}
