/**
 * Draws the picture of the guide to traces: `node scripts/trace-picture.mjs`. A run of the built command with a prepared
 * model and a small shop is recorded, its page is opened in Chromium, and what is to be seen goes to docs/guides.
 */
// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureBuilt } from './example.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const picture = join(root, 'docs', 'guides', 'trace-page.png');
const command = join(root, 'dist', 'cli.js');

/** What the model answers, and how long it takes: a text, or calls of tools. */
const answers = [
  { after: 900, calls: [['find_order', { number: 1182 }]] },
  { after: 700, calls: [['refund', { order: 1182, amount: 42.5 }]] },
  {
    after: 500,
    calls: [
      ['check_payment', { order: 1182 }],
      ['refund', { order: 1182, amount: 42.5 }],
    ],
  },
  { after: 600, calls: [['refund', { order: 1182, amount: 42.5 }]] },
];

const shop = `
import { Server, tool, ToolError } from ${JSON.stringify(pathToFileURL(join(root, 'dist', 'server.js')).href)};
import { serveStdio } from ${JSON.stringify(pathToFileURL(join(root, 'dist', 'stdio.js')).href)};
const later = ms => new Promise(done => setTimeout(done, ms));
const take = (properties, run, ms) => ({ input: { type: 'object', properties }, run: async args => (await later(ms), run(args)) });
const order = { type: 'integer' };
serveStdio(new Server({ name: 'shop', version: '2.1.0', tools: [
  tool({ name: 'find_order', description: 'Finds an order.', ...take({ number: order }, () => 'order 1182: 1 oak board, 42.50, paid by card', 180) }),
  tool({ name: 'check_payment', description: 'Checks a payment.', ...take({ order }, () => 'settled yesterday', 240) }),
  tool({ name: 'refund', description: 'Pays back.', ...take({ order, amount: { type: 'number' } }, () => {
    throw new ToolError('the payment service answered 503: maintenance until 14:00');
  }, 420) }),
] }));
`;

const model = createServer((request, response) => {
  request.resume().on('end', async () => {
    const answer = answers.shift() ?? { after: 0, calls: [] };
    await wait(answer.after);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    /** @param {object} choice @param {object} more */
    const say = (choice, more = {}) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }], ...more })}\n\n`);
    const calls = answer.calls.map(([name, args], index) => {
      return {
        index,
        id: `call-${answers.length}-${index}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      };
    });
    say({ delta: { tool_calls: calls } });
    const usage = {
      prompt_tokens: 640 + 210 * (4 - answers.length),
      completion_tokens: 18 + 20 * calls.length,
    };
    say({ delta: {}, finish_reason: 'tool_calls' }, { usage });
    response.end('data: [DONE]\n\n');
  });
});

ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'trace-picture-'));
try {
  writeFileSync(join(folder, 'shop.mjs'), shop);
  const servers = { shop: { command: process.execPath, args: ['shop.mjs'] } };
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
  model.listen(0, '127.0.0.1');
  await once(model, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (model.address());
  const env = {
    ...process.env,
    TENON_MODEL: 'large',
    TENON_BASE_URL: `http://127.0.0.1:${port}/v1`,
    TENON_API_KEY: 'none',
  };
  /** @param {string[]} args */
  const tenon = async (...args) => {
    const child = spawn(process.execPath, [command, ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    await once(child, 'close');
  };
  await tenon(
    'run',
    'Refund order 1182 and tell the customer',
    '--server',
    'shop',
    '--yes',
    '--record',
    'run.jsonl',
  );
  await tenon('trace', 'run.jsonl', '--page', 'run.html');
  const switches = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--hide-scrollbars',
    '--window-size=1120,860',
  ];
  const place = [`--user-data-dir=${join(folder, 'profile')}`, `--screenshot=${picture}`];
  const page = pathToFileURL(join(folder, 'run.html')).href;
  const { status, stderr } = spawnSync('chromium', [...switches, ...place, page], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`chromium ended with ${status}: ${stderr}`);
  console.log(`${picture}: ${statSync(picture).size.toLocaleString('en')} bytes`);
} finally {
  model.close();
  rmSync(folder, { recursive: true, force: true });
}
