/** What users may rely on when a tool asks its client. */
import { isProtocolError } from '../rpc/protocol-error.ts';
import { check, contains, equal, rejection, within } from './assert.ts';
import { type EraKit, say } from './era-suite.ts';
import type { Sentences } from './test-function.ts';

export const questionSentences: Sentences<EraKit> = {
  async 'questions asked together are answered together, and an effect between happens once'({ connect }) {
    const asked: string[] = [];
    let bothCame = (): void => {};
    const both = new Promise<void>(resolve => {
      bothCame = resolve;
    });
    const client = await connect({
      async onElicit({ message }) {
        asked.push(message);
        if (asked.length === 2) bothCame();
        // Whoever answers the first before the second was asked waits for ever here.
        await both;
        return { action: 'accept', content: { value: message.replace('?', '!') } };
      },
    });
    equal(await say(client, 'ask_thrice'), 'first! second! third!', 'the answer');
    equal([...asked].sort(), ['first?', 'second?', 'third?'], 'what was asked');
    equal(asked.at(-1), 'third?', 'the last question');
    equal(await say(client, 'count', { name: 'effect' }), '1', 'how often the effect happened');
    const started = await say(client, 'count', { name: 'started' });
    equal(await say(client, 'count', { name: 'tidied' }), started, 'how often the tool tidied up');
  },

  async 'a tool may say what it wants to know and be run again with the answers'({ connect }) {
    const asked: string[] = [];
    const client = await connect({
      onElicit({ message }) {
        asked.push(message);
        return { action: 'accept', content: { value: message.replace('?', '!') } };
      },
      onRoots: () => [{ uri: 'file:///here' }],
    });
    equal(await say(client, 'survey'), 'name! at file:///here: sure!, step 2', 'the answer');
    equal(asked, ['name?', 'sure?'], 'what was asked');
    for (const step of [0, 1, 2]) {
      equal(await say(client, 'count', { name: `survey ${step}` }), '1', `how often step ${step} was run`);
    }
  },

  async 'an answer that does not fit its form fails the call and nothing else'({ connect }) {
    const client = await connect({ onElicit: () => ({ action: 'accept', content: { value: 7 } }) });
    for (const tool of ['ask', 'survey']) {
      const thrown = await rejection(client.call(tool), `the call of ${tool}`);
      check(isProtocolError(thrown), 'the error is a ProtocolError');
    }
    equal(await say(client, 'echo', { value: 'still here' }), 'still here', 'a call afterwards');
  },

  async 'a resource and a prompt may ask as a tool does'({ connect }) {
    const client = await connect({
      onElicit: ({ message }) => ({ action: 'accept', content: { value: message.replace('?', '!') } }),
    });
    const [secret] = (await within(client.read('suite://secret'), 'the secret')).contents;
    equal(secret?.text, 'it is word!', 'what was read');
    const [message] = (await within(client.prompt('asks'), 'the prompt')).messages;
    equal(message?.content, { type: 'text', text: 'About topic!.' }, 'what was written');
  },

  async 'a question may be declined'({ connect }) {
    const client = await connect({ onElicit: () => ({ action: 'decline' }) });
    equal(await say(client, 'ask'), 'decline', 'what the tool was told');
  },

  async 'a tool that must ask says what its client lacks'({ connect }) {
    const client = await connect();
    for (const [tool, lacking] of [
      ['ask', 'elicitation'],
      ['sample', 'sampling'],
      ['roots', 'roots'],
    ] as const) {
      const thrown = await rejection(client.call(tool), `the call of ${tool}`);
      check(isProtocolError(thrown), `${tool} fails with a ProtocolError`);
      contains(thrown.message, lacking, 'the message');
    }
  },

  async 'a tool may use the model of its client'({ connect }) {
    const client = await connect({
      onSample: ({ maxTokens }) => ({
        role: 'assistant',
        content: { type: 'text', text: `green, in ${maxTokens} tokens` },
        model: 'taster',
      }),
    });
    equal(await say(client, 'sample'), 'taster: green, in 10 tokens', 'what the tool was told');
  },

  async 'a tool may ask for the folders of its client'({ connect }) {
    const client = await connect({ onRoots: () => [{ uri: 'file:///a' }, { uri: 'file:///b' }] });
    equal(await say(client, 'roots'), 'file:///a file:///b', 'what the tool was told');
  },

  async 'a question that cannot be answered fails its call and nothing else'({ connect }) {
    const client = await connect({
      onElicit() {
        throw new Error('the person left');
      },
    });
    const thrown = await rejection(client.call('ask'), 'the call');
    contains(String(thrown), 'the person left', 'the error');
    equal(await say(client, 'echo', { value: 'still here' }), 'still here', 'a call afterwards');
  },

  async 'a question is withdrawn when its call is aborted'({ connect }) {
    const controller = new AbortController();
    let withdrawn: Promise<void> | undefined;
    const client = await connect({
      onElicit(_question, { signal }) {
        withdrawn = new Promise(resolve => signal.addEventListener('abort', () => resolve()));
        queueMicrotask(() => controller.abort(new Error('changed my mind')));
        return new Promise(() => {});
      },
    });
    const thrown = await rejection(client.call('ask', {}, { signal: controller.signal }), 'the call');
    contains(String(thrown), 'changed my mind', 'the error');
    check(withdrawn !== undefined, 'the question was asked');
    await within(withdrawn, 'the withdrawal');
  },
};
