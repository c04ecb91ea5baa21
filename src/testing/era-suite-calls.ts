/** What users may rely on when they list tools, call them and watch them change. */
import type { LogEntry } from '../eras/index.ts';
import { codes, isProtocolError } from '../rpc/protocol-error.ts';
import { check, contains, equal, rejection, within } from './assert.ts';
import { type EraKit, say, textOf } from './era-suite.ts';
import type { Sentences } from './test-function.ts';

const tools = [
  ...['echo', 'add', 'blocks', 'refuse', 'crash', 'steps', 'logs', 'who', 'happened', 'count'],
  ...['ask', 'ask_thrice', 'sample', 'roots', 'wait', 'nudge', 'finish', 'change'],
  ...['survey', 'touch', 'rearrange'],
];

export const callSentences: Sentences<EraKit> = {
  async 'a server says who it is and how to use it'({ connect }) {
    const client = await connect();
    equal(client.server.name, 'era-suite', 'the name of the server');
    equal(client.server.version, '1.2.3', 'the version of the server');
    equal(client.instructions, 'Use the tools.', 'the instructions');
    check(client.capabilities['tools'] !== undefined, 'the server offers tools');
    check(client.revision !== '', 'the revision in use is known');
  },

  async 'a list of several pages is read to its end, in order'({ connect }) {
    const client = await connect();
    const listed = await within(client.tools().all(), 'the list');
    equal(
      listed.map(({ name }) => name),
      tools,
      'the names',
    );
    const echo = listed[0];
    equal(echo?.description, 'Says what it is told', 'the description');
    equal(
      echo?.inputSchema,
      {
        type: 'object',
        properties: { value: { type: 'string', description: 'what to say' } },
        required: ['value'],
        additionalProperties: false,
      },
      'the schema',
    );
  },

  async 'a list may be left after its first entries'({ connect }) {
    const client = await connect();
    for await (const { name } of client.tools()) {
      equal(name, 'echo', 'the first tool');
      break;
    }
    equal(await say(client, 'echo', { value: 'still here' }), 'still here', 'a call afterwards');
  },

  async 'a call gives text'({ connect }) {
    const client = await connect();
    const result = await within(client.call('echo', { value: 'é\n😀' }), 'the answer');
    equal(result, { content: [{ type: 'text', text: 'é\n😀' }], isError: false }, 'the result');
  },

  async 'a call carries a megabyte both ways'({ connect }) {
    const client = await connect();
    const value = 'x'.repeat(1_000_000);
    check((await say(client, 'echo', { value })) === value, 'the text comes back whole');
  },

  async 'a call gives blocks of several kinds, in order'({ connect }) {
    const client = await connect();
    const { content } = await within(client.call('blocks'), 'the answer');
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    equal(content, [{ type: 'text', text: 'one' }, image, { type: 'text', text: 'two' }], 'the blocks');
  },

  async 'a call gives structured data, and the same as text'({ connect, lacks }) {
    const client = await connect();
    const result = await within(client.call('add', { a: 1, b: 2 }), 'the answer');
    equal(JSON.parse(textOf(result)), { sum: 3 }, 'the text');
    if (!lacks('structured-content')) equal(result.structuredContent, { sum: 3 }, 'the data');
  },

  async 'a failure that can be corrected is a result, with its data'({ connect, lacks }) {
    const client = await connect();
    const result = await within(client.call('refuse'), 'the answer');
    equal(result.isError, true, 'isError');
    equal(textOf(result), 'try a smaller number', 'the text');
    if (!lacks('structured-content')) equal(result.structuredContent, { limit: 3 }, 'the data');
  },

  async 'arguments that do not fit are refused, and what was meant is said'({ connect }) {
    const client = await connect();
    const result = await within(client.call('echo', { valeu: 'x' }), 'the answer');
    equal(result.isError, true, 'isError');
    contains(textOf(result), 'did you mean "value"', 'the refusal');
  },

  async 'a tool that is not there is an error of the protocol'({ connect }) {
    const client = await connect();
    const thrown = await rejection(client.call('ehco', { value: 'x' }), 'the call');
    check(isProtocolError(thrown), 'the error is a ProtocolError');
    equal(thrown.code, codes.invalidParams, 'the code');
    contains(thrown.message, 'did you mean "echo"', 'the message');
  },

  async 'a tool that fails unexpectedly shows one line, and no secret'({ connect }) {
    const client = await connect();
    const result = await within(client.call('crash'), 'the answer');
    const text = textOf(result);
    equal(result.isError, true, 'isError');
    contains(text, 'crash', 'the text');
    check(!text.includes('hunter2222'), 'the secret is redacted');
    check(!text.includes('line 7'), 'only the first line is shown');
  },

  async 'a tool knows who is calling'({ connect }) {
    const client = await connect({ info: { name: 'somebody', version: '9.8.7' } });
    equal(await say(client, 'who'), `somebody 9.8.7 ${client.revision}`, 'what the tool was told');
  },

  async 'calls are answered as they finish, not in the order they began'({ connect }) {
    const client = await connect();
    const slow = client.call('wait');
    await say(client, 'happened', { name: 'waiting', count: 1 });
    const quick = await Promise.all(['a', 'b', 'c'].map(value => say(client, 'echo', { value })));
    equal(quick, ['a', 'b', 'c'], 'the answers meanwhile');
    equal(await say(client, 'finish'), '1', 'how many calls were still waiting');
    equal(textOf(await within(slow, 'the slow answer')), 'finished', 'the slow answer');
  },

  async 'log messages arrive from the level that was asked for'({ connect }) {
    const entries: LogEntry[] = [];
    const client = await connect({ onLog: entry => entries.push(entry) });
    await say(client, 'logs');
    const expected = [
      { level: 'info', data: 'plain' },
      { level: 'warning', logger: 'suite', data: { loud: true } },
    ];
    equal(entries, expected, 'what was logged from info on');
    const loud: LogEntry[] = [];
    const choosy = await connect({ logLevel: 'warning', onLog: entry => loud.push(entry) });
    await say(choosy, 'logs');
    equal(loud, expected.slice(1), 'what was logged from warning on');
  },

  async 'a change of the tools is watched, and the next list shows it'({ connect }) {
    const client = await connect();
    const changes = client.watch({ tools: true })[Symbol.asyncIterator]();
    const first = changes.next();
    await say(client, 'change');
    equal(await within(first, 'the change'), { done: false, value: { kind: 'tools' } }, 'the change');
    const names = (await within(client.tools().all(), 'the list')).map(({ name }) => name);
    equal(names, [...tools.slice(1), 'late'], 'the names afterwards');
    equal(await say(client, 'late'), 'better', 'the new tool');
    const thrown = await rejection(client.call('echo', { value: 'x' }), 'a call of the tool that is gone');
    check(isProtocolError(thrown), 'the error is a ProtocolError');
    await changes.return?.();
  },

  async 'watching ends with its signal and with its client'({ connect }) {
    const client = await connect();
    const controller = new AbortController();
    const signalled = client
      .watch({ tools: true }, { signal: controller.signal })
      [Symbol.asyncIterator]()
      .next();
    const open = client.watch({ tools: true })[Symbol.asyncIterator]().next();
    await say(client, 'echo', { value: 'x' });
    controller.abort();
    equal((await within(signalled, 'the end')).done, true, 'whether the signal ended it');
    await within(client.close(), 'closing');
    equal((await within(open, 'the end')).done, true, 'whether closing ended it');
  },
};
