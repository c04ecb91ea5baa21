/** What servers of the responses endpoint are known to refuse, and what is sent in its place. */
import { type Concession, temperatureDropped } from '../provider/concessions.ts';

export const concessions: readonly Concession[] = [
  {
    code: 'encrypted-reasoning-dropped',
    blames: /\binclude\b|encrypted/i,
    member: 'include',
    unasked: true,
    note: 'the server refuses to hand out its reasoning; the model cannot go on from it in the next turn',
    change: ({ include: _, ...rest }) => rest,
  },
  {
    code: 'response-format-dropped',
    blames: /text\.format|json_schema|structured output/i,
    member: 'text',
    note: 'the server refuses the output schema; the answer is only checked here',
    change: ({ text: _, ...rest }) => rest,
  },
  temperatureDropped,
];
