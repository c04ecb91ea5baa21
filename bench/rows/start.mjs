/** Rows of starting: what it costs until the first answer is there. */

import { fileURLToPath } from 'node:url';
import { loadStdio } from '../load.mjs';
import { programOf, runFile, runProgram, startServer, takesPart } from '../subject.mjs';

/** CPU from the start of the process to the first list, in microseconds. */
function coldStart(era) {
  return {
    name: `cold start to the first list, stdio server, ${era}`,
    unit: 'ms',
    aim: 1.35,
    has: subject => takesPart(subject, 'stdio-server', era),
    async measure(subject) {
      const server = startServer(subject, 'stdio-server');
      try {
        await (await loadStdio(server.child, era)).list();
        return { value: await server.cpu() };
      } finally {
        await server.stop();
      }
    },
  };
}

const importTime = {
  name: 'loading the client entry',
  unit: 'ms',
  has: subject => takesPart(subject, 'client-entry'),
  measure: subject =>
    runFile(fileURLToPath(new URL('../import-time.mjs', import.meta.url)), [
      programOf(subject, 'client-entry'),
    ]),
};

const fiveServers = {
  name: 'first answers of five stdio servers, the client’s start included',
  unit: 'ms',
  aim: 1.3,
  has: subject => takesPart(subject, 'five-servers'),
  measure: subject =>
    runProgram(subject, 'five-servers', { server: programOf('floor', 'stdio-server'), count: 5 }),
};

export const startRows = [coldStart('handshake'), coldStart('stateless'), importTime, fiveServers];
