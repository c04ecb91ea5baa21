import { describe, expect, it } from 'vitest';
import { plainClient, plainServer, sent } from '../../test/fixtures/plain-server.ts';
import { memoryChannel } from '../channels/memory.ts';
import { connect } from './client.ts';
import { type ClientOptions, capabilitiesOf, connectLimitsOf, limitsOf } from './options.ts';

it.each([undefined, null, 'node server.js', {}])('connect says what to give in place of %j', async target => {
  const connecting = connect(target as never);
  await expect(connecting).rejects.toThrow(TypeError);
  await expect(connecting).rejects.toThrow(/^connect: the first argument must be a channel such as stdio\(/);
});

it('a limit that is undefined is the default', () => {
  const defaults = connectLimitsOf();
  expect(defaults).toEqual({ connect: 60_000, connectTotal: 300_000, idle: 60_000, total: 600_000 });
  const given = { connect: undefined, connectTotal: undefined, idle: undefined, total: 5 };
  expect(connectLimitsOf(given)).toEqual({ ...defaults, total: 5 });
});

describe('an option that cannot be used', () => {
  it.each<[string, unknown, string]>([
    ['timeouts', { idle: 0 }, 'timeouts.idle must be a number of milliseconds above 0, got 0'],
    ['timeouts', { total: -1 }, 'timeouts.total must be a number of milliseconds above 0, got -1'],
    [
      'timeouts',
      { connect: Number.NaN },
      'timeouts.connect must be a number of milliseconds above 0, got NaN',
    ],
    ['maxInFlight', 0, 'maxInFlight must be an integer of at least 1, got 0'],
    ['maxInFlight', 1.5, 'maxInFlight must be an integer of at least 1, got 1.5'],
    ['maxQuestions', 0, 'maxQuestions must be an integer of at least 1, got 0'],
    ['maxRounds', 0, 'maxRounds must be an integer of at least 1, got 0'],
    ['protocol', 'latest', 'protocol must be one of "auto", '],
  ])('is refused before anything is opened: %s %j', async (name, value, message) => {
    const server = plainServer({});
    const connecting = connect(memoryChannel(server), { [name]: value } as ClientOptions);
    await expect(connecting).rejects.toThrow(TypeError);
    await expect(connecting).rejects.toThrow(message);
    expect(server.received).toEqual([]);
  });

  it('is refused for a single call as well, and nothing is sent', async () => {
    const { client, server } = await plainClient({});
    await expect(client.call('a', {}, { timeouts: { idle: 0 } })).rejects.toThrow(
      'timeouts.idle must be a number of milliseconds above 0, got 0',
    );
    expect(sent(server, 'tools/call')).toEqual([]);
    await client.close();
  });
});

describe('what a client says that it can do', () => {
  const answer = () => ({ action: 'decline' }) as const;

  it.each<[string, ClientOptions, object]>([
    ['nothing', {}, {}],
    ['forms and pages', { onElicit: answer }, { elicitation: { form: {}, url: {} } }],
    ['its model', { onSample: () => Promise.reject(new Error()) }, { sampling: {} }],
    ['its folders', { onRoots: () => [] }, { roots: {} }],
    [
      'an extension',
      { extensions: [{ id: 'a.b/c', settings: { deep: true } }, { id: 'a.b/d' }] },
      { extensions: { 'a.b/c': { deep: true }, 'a.b/d': {} } },
    ],
    ['nothing for a listener of logs', { onLog: () => {} }, {}],
  ])('is %s by its handlers alone', async (_what, options, expected) => {
    expect(capabilitiesOf(options)).toEqual(expected);
    const { client, server } = await plainClient({}, options);
    expect(sent(server, 'initialize')[0]?.params?.['capabilities']).toEqual(expected);
    await client.close();
  });
});

describe('limits', () => {
  it('are those of the call before those of the client before the defaults', () => {
    expect(limitsOf(undefined, undefined)).toEqual({ idle: 60_000, total: 600_000 });
    expect(limitsOf({ idle: 5 }, undefined)).toEqual({ idle: 5, total: 600_000 });
    expect(limitsOf({ idle: 5, total: 6 }, { total: 7 })).toEqual({ idle: 5, total: 7 });
  });
});
