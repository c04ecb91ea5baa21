/** Rows of growth: many tools, long messages, many lines at once, many sessions. */
import { loadHttp, loadStdio } from '../load.mjs';
import { listings } from '../messages.mjs';
import { startServer, subjects, takesPart } from '../subject.mjs';
import { perCall } from './calls.mjs';

/** Whose definition can have more tools. */
const growing = ['floor', 'ours', 'official'];

function listOf(tools) {
  return {
    name: `list of ${tools.toLocaleString('en')} tools, stdio server`,
    aim: 1.3,
    has: subject => growing.includes(subject),
    async measure(subject, scale) {
      // With the two that are always there; ours gives no more than 1,000 on a page.
      const server = startServer(subject, 'stdio-server', [`--tools=${tools - listings.length}`]);
      try {
        const load = await loadStdio(server.child, 'handshake', { tools });
        const times = Math.ceil(100 * scale * subjects[subject].share);
        const lists = async count => {
          for (let done = 0; done < count; done += 1) await load.list();
        };
        return await perCall(server, { many: lists }, times, 1);
      } finally {
        await server.stop();
      }
    },
  };
}

const few = 10;
const besideName = tools => `a call beside ${tools.toLocaleString('en')} tools, stdio server, 64 in flight`;

const besideFew = {
  name: besideName(few),
  has: subject => growing.includes(subject),
  async measure(subject, scale) {
    const server = startServer(subject, 'stdio-server', [`--tools=${few}`]);
    try {
      const load = await loadStdio(server.child, 'handshake');
      return await perCall(server, load, Math.ceil(60_000 * subjects[subject].share * scale), 64);
    } finally {
      await server.stop();
    }
  },
};

function besideMany(tools) {
  return {
    name: besideName(tools),
    ofFew: 1.1,
    has: subject => growing.includes(subject),
    async measure(subject, scale) {
      const calls = Math.ceil(60_000 * subjects[subject].share * scale);
      const [beside, alone] = await inTurns(subject, [tools, few], calls);
      return { value: beside, few: alone };
    },
  };
}

/** What a call takes beside each number of tools. They are compared with each other, so that what else the machine does must meet them alike. */
async function inTurns(subject, counts, calls) {
  const turns = 6;
  const opened = [];
  try {
    for (const tools of counts) {
      const server = startServer(subject, 'stdio-server', [`--tools=${tools}`]);
      opened.push({ server, used: 0 });
    }
    for (const each of opened) each.load = await loadStdio(each.server.child, 'handshake');
    for (const { load } of opened) await load.many(Math.ceil(calls / 3), 64);
    for (let turn = 0; turn < turns; turn += 1) {
      for (const each of turn % 2 === 0 ? opened : opened.toReversed()) {
        const before = await each.server.cpu();
        await each.load.many(Math.ceil(calls / turns), 64);
        each.used += (await each.server.cpu()) - before;
      }
    }
    return opened.map(({ used }) => used / (Math.ceil(calls / turns) * turns));
  } finally {
    for (const { server } of opened) await server.stop();
  }
}

/** The official packages, and with them fastmcp, end a connection at 10 MB; of tmcp, whose time grows with the square, it would be most of the run. */
const readsLong = subject => !['official', 'sdk-v1', 'fastmcp', 'tmcp'].includes(subject);

function longMessage(megabytes) {
  return {
    name: `a message of ${megabytes} MB, in chunks of 64 KB, stdio server`,
    unit: 'ms',
    aim: 1.3,
    has: subject => takesPart(subject, 'stdio-server') && (megabytes < 10 || readsLong(subject)),
    async measure(subject, scale) {
      const server = startServer(subject, 'stdio-server');
      try {
        const load = await loadStdio(server.child, 'handshake');
        await load.send(1000);
        const before = await server.cpu();
        await load.send(Math.ceil(megabytes * 1e6 * Math.min(1, scale * 100)));
        return { value: (await server.cpu()) - before };
      } finally {
        await server.stop();
      }
    },
  };
}

const manyLines = {
  name: '10,000 calls in one write, stdio server',
  aim: 2,
  has: subject => takesPart(subject, 'stdio-server'),
  async measure(subject, scale) {
    const server = startServer(subject, 'stdio-server');
    try {
      const load = await loadStdio(server.child, 'handshake');
      const calls = Math.ceil(10_000 * Math.min(1, scale * 10));
      const before = await server.cpu();
      await load.many(calls, calls);
      return { value: ((await server.cpu()) - before) / calls };
    } finally {
      await server.stop();
    }
  },
};

const idleSessions = {
  name: 'heap of an idle session, HTTP server',
  unit: 'B',
  // A fixed number of bytes is aimed at: the floor keeps no more than an id.
  most: 1024,
  has: subject => takesPart(subject, 'http-server'),
  async measure(subject) {
    const server = startServer(subject, 'http-server');
    try {
      // Fewer would tell more of what a server allocates once, such as compiled code.
      const sessions = 1_000;
      const accept = 'application/json, text/event-stream';
      const { revision } = subjects[subject];
      const load = await loadHttp(server.child, { era: 'handshake', accept, type: '', revision });
      await load.open(sessions);
      const before = await server.heap();
      await load.open(sessions);
      const value = ((await server.heap()) - before) / sessions;
      load.close();
      return { value: Math.max(1, value) };
    } finally {
      await server.stop();
    }
  },
};

export const growthRows = [
  listOf(1_000),
  besideFew,
  besideMany(10_000),
  longMessage(1),
  longMessage(8),
  longMessage(32),
  manyLines,
  idleSessions,
];
