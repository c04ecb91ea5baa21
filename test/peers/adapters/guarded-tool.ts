/** A tool that needs approval and counts its runs, and one that fails for good. */
import { type AnyTool, tool } from 'tenon';

export function guardedTool(): { readonly tool: AnyTool; readonly runs: () => number } {
  let runs = 0;
  return {
    runs: () => runs,
    tool: tool({
      name: 'pay',
      description: 'Pays.',
      needsApproval: true,
      run: () => {
        runs += 1;
        return 'paid';
      },
    }),
  };
}

export const brokenTool: AnyTool = tool({
  name: 'pay',
  description: 'Pays.',
  run: (): string => {
    throw new Error('out of order');
  },
});
