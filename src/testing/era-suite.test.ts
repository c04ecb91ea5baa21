import { describe, expect, it } from 'vitest';
import type { Channel } from '../channels/channel.ts';
import { connect } from '../client/client.ts';
import { type ConnectTo, eraSuite } from './era-suite.ts';
import { eraSuiteServer } from './era-suite-server.ts';
import { memory } from './memory.ts';

/** A channel in memory that changes what the server says; nothing comes through when `change` gives nothing. */
function changed(change: (message: Record<string, unknown>) => object | undefined): Channel {
  const inner = memory(eraSuiteServer());
  return {
    label: 'changed',
    open: (receiver, options) =>
      inner.open(
        {
          message(value) {
            const through = change(structuredClone(value) as Record<string, unknown>);
            if (through) receiver.message(through);
          },
          ended: of => receiver.ended(of),
          closed: error => receiver.closed(error),
          activity: kind => receiver.activity(kind),
          diagnostic: each => receiver.diagnostic(each),
        },
        options,
      ),
  };
}

/** Why one sentence does not hold; nothing when it does. */
async function fault(sentence: string, connectTo: ConnectTo): Promise<string | undefined> {
  const tests = new Map<string, () => Promise<void>>();
  eraSuite(connectTo, { test: (name, run) => tests.set(name, run) });
  const run = tests.get(sentence);
  if (!run) throw new Error(`there is no sentence "${sentence}"`);
  return run().then(
    () => undefined,
    (error: unknown) => String(error),
  );
}

const resultOf = (message: Record<string, unknown>): Record<string, unknown> =>
  (message['result'] ?? {}) as Record<string, unknown>;

describe('the era suite finds', () => {
  it.each<[string, string, (message: Record<string, unknown>) => object | undefined]>([
    [
      'progress that is lost',
      'progress reaches its caller, and only what grows',
      message => (message['method'] === 'notifications/progress' ? undefined : message),
    ],
    [
      'log messages that are lost',
      'log messages arrive from the level that was asked for',
      message => (message['method'] === 'notifications/message' ? undefined : message),
    ],
    [
      'instructions that are lost',
      'a server says who it is and how to use it',
      message => {
        delete resultOf(message)['instructions'];
        return message;
      },
    ],
    [
      'pages that are lost',
      'a list of several pages is read to its end, in order',
      message => {
        delete resultOf(message)['nextCursor'];
        return message;
      },
    ],
    [
      'data that is lost',
      'a call gives structured data, and the same as text',
      message => {
        delete resultOf(message)['structuredContent'];
        return message;
      },
    ],
    [
      'the flag of a failure that is lost',
      'a failure that can be corrected is a result, with its data',
      message => {
        delete resultOf(message)['isError'];
        return message;
      },
    ],
    [
      'another code for a tool that is not there',
      'a tool that is not there is an error of the protocol',
      message => {
        const error = message['error'] as { code: number } | undefined;
        if (error) error.code = -1;
        return message;
      },
    ],
  ])('%s', async (_what, sentence, change) => {
    expect(await fault(sentence, options => connect(changed(change), options))).toContain('SuiteFailure');
    expect(await fault(sentence, options => connect(memory(eraSuiteServer()), options))).toBeUndefined();
  });

  it('a client that does not say who it is', async () => {
    const connectTo: ConnectTo = ({ info: _lost, ...options }) => connect(eraSuiteServer(), options);
    expect(await fault('a tool knows who is calling', connectTo)).toContain('what the tool was told');
  });

  it('a client that lets its questions open', async () => {
    const connectTo: ConnectTo = ({ onElicit: _lost, ...options }) => connect(eraSuiteServer(), options);
    expect(await fault('a question may be declined', connectTo)).toContain('elicitation');
  });
});

describe('the suite notices a server', () => {
  const notices = (sentence: string, change: (message: Record<string, unknown>) => object | undefined) =>
    fault(sentence, options => connect(changed(change), { ...options, protocol: 'auto' }));
  const member = (name: string, value: unknown) => (message: Record<string, unknown>) => {
    const result = message['result'];
    return typeof result === 'object' && result !== null && name in result
      ? { ...message, result: { ...result, [name]: value } }
      : message;
  };

  it.each<[string, string, (message: Record<string, unknown>) => object | undefined, string]>([
    [
      'that loses resources',
      'resources are listed with what was said of them, and their families apart',
      member('resources', []),
      'the URIs',
    ],
    [
      'that gives other contents',
      'a resource is read as text, as bytes, in parts, and by the template of its family',
      member('contents', []),
      'the text',
    ],
    [
      'that calls all things not found',
      'a resource that is not there is told apart from one that must not be read',
      message =>
        message['error']
          ? { ...message, error: { ...(message['error'] as object), data: { uri: 'x:y' } } }
          : message,
      'is not looked for',
    ],
    [
      'that writes prompts without their arguments',
      'a prompt is listed with its arguments, and written out with them',
      member('messages', [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }]),
      'the messages',
    ],
    [
      'that suggests nothing',
      'arguments are completed, within bounds and with the others in view',
      member('completion', { values: [] }),
      'the folders',
    ],
  ])('%s', async (_what, sentence, change, said) => {
    expect(await notices(sentence, message => message)).toBeUndefined();
    expect(await notices(sentence, change)).toContain(said);
  });
});
