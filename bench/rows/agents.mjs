/** Rows of agents: what a turn of the loop costs, and what it costs that a tool is a server's. */
import { programOf, runProgram, subjects, takesPart } from '../subject.mjs';

function agentTurn(turns) {
  return {
    name: `agent, scripted model, a tool call in each turn, for each of ${turns} turns`,
    per: 'turn',
    least: true,
    has: subject => takesPart(subject, 'agent-loop'),
    measure(subject, scale) {
      const runs = Math.ceil((20_000 / turns) * scale * subjects[subject].share);
      return runProgram(subject, 'agent-loop', { turns, runs, warmUp: Math.ceil(runs / 3) });
    },
  };
}

function bridged(where, { server, calls, inFlight }) {
  return {
    name: `a server’s tool in an agent, above a call of its client, ${where}`,
    least: true,
    has: subject => takesPart(subject, 'bridge'),
    measure(subject, scale) {
      const some = Math.ceil(calls * scale * (server === undefined ? 1 : subjects[subject].share));
      return runProgram(subject, 'bridge', { server, calls: some, warmUp: Math.ceil(some / 5), inFlight });
    },
  };
}

export const agentRows = [
  agentTurn(10),
  agentTurn(50),
  bridged('in memory', { calls: 150_000, inFlight: 1 }),
  bridged('stdio, 64 in flight', { server: programOf('floor', 'stdio-server'), calls: 30_000, inFlight: 64 }),
];
