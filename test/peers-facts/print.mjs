/** Prints what each published server answers to a raw driver: `node test/peers-facts/print.mjs [name…]`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { envelope, initializeParams, startPeer } from '../fixtures/raw-driver.mjs';
import { servers } from './servers.mjs';

const short = value => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 700 ? `${text.slice(0, 700)}… (${text.length} chars)` : text;
};
const within = (ms, promise) => {
  promise.catch(() => {});
  return Promise.race([promise, sleep(ms, 'SILENT', { ref: false })]).catch(
    error => `ENDED ${error.message}`,
  );
};
const start = name => startPeer(servers[name].command, servers[name].args, { env: servers[name].env });

async function facts(name) {
  console.log(`\n## ${name}`);
  const began = performance.now();
  let peer = start(name);
  const probe = await within(4000, peer.ask(1, 'server/discover', envelope()));
  console.log('discover first:', Math.round(performance.now() - began), 'ms', short(probe));
  if (typeof probe === 'object' && probe.result) {
    console.log(' tools/list stateless:', short(await within(3000, peer.ask(2, 'tools/list', envelope()))));
    console.log(
      ' call:',
      short(
        await within(
          3000,
          peer.ask(3, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 }, ...envelope() }),
        ),
      ),
    );
    console.log(
      ' bad args:',
      short(
        await within(3000, peer.ask(4, 'tools/call', { name: 'add', arguments: { a: 'x' }, ...envelope() })),
      ),
    );
    console.log(
      ' unknown tool:',
      short(await within(3000, peer.ask(5, 'tools/call', { name: 'nope', arguments: {}, ...envelope() }))),
    );
    console.log(' unknown method:', short(await within(3000, peer.ask(6, 'nope/nope', envelope()))));
    console.log(
      ' unknown revision:',
      short(await within(3000, peer.ask(7, 'tools/list', envelope('2099-01-01')))),
    );
    console.log(' no envelope:', short(await within(2000, peer.ask(8, 'tools/list', {}))));
    console.log(' ping:', short(await within(2000, peer.ask(9, 'ping', envelope()))));
    console.log(
      ' listen:',
      short(
        await within(
          1500,
          peer.ask(10, 'subscriptions/listen', { notifications: { toolsListChanged: true }, ...envelope() }),
        ),
      ),
      '| lines:',
      short(peer.lines.slice(-1)[0]?.toString() ?? ''),
    );
  }
  console.log(
    'initialize after discover:',
    short(await within(3000, peer.ask(20, 'initialize', initializeParams('2025-11-25')))),
  );
  console.log('stdin end:', short(await within(4000, peer.end())));
  await peer.stop();

  peer = start(name);
  console.log(
    'initialize fresh:',
    short(await within(6000, peer.ask(0, 'initialize', initializeParams('2025-11-25')))),
  );
  peer.notify('notifications/initialized');
  const list = await within(4000, peer.ask(1, 'tools/list', {}));
  console.log(
    'tools:',
    list?.result?.tools?.map(tool => tool.name).join(' '),
    '| list keys',
    Object.keys(list?.result ?? {}).join(),
  );
  console.log(
    'unknown tool:',
    short(await within(3000, peer.ask(2, 'tools/call', { name: 'nope', arguments: {} }))),
  );
  console.log('ping:', short(await within(3000, peer.ask(3, 'ping'))));
  console.log('string id:', short(await within(2000, peer.ask('abc', 'ping'))));
  peer.send('not json\n');
  console.log('after garbage, ping:', short(await within(2000, peer.ask(4, 'ping'))));
  console.log(
    'other lines:',
    short(peer.messages().filter(m => m.method || m.id === undefined || m.id === null)),
  );
  const t = performance.now();
  console.log('stdin end:', short(await within(4000, peer.end())), Math.round(performance.now() - t), 'ms');
  const t2 = performance.now();
  peer.child.kill('SIGTERM');
  console.log(
    'TERM:',
    short(await within(4000, peer.exit)),
    Math.round(performance.now() - t2),
    'ms; stderr:',
    short(peer.stderr),
  );
  await peer.stop();
  for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2026-07-28']) {
    peer = start(name);
    const r = await within(6000, peer.ask(0, 'initialize', initializeParams(revision)));
    console.log(`initialize ${revision}:`, r?.result?.protocolVersion ?? short(r));
    await peer.stop();
  }
}
const names = process.argv.slice(2);
for (const name of names.length > 0 ? names : Object.keys(servers)) await facts(name);
process.exit(0);
