import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { manualClock } from '../../../basics/manual-clock.ts';
import { type EnvironmentOptions, examineEnvironment, examinePort } from './environment.ts';
import { connectTo, listenOn } from './network.ts';

const progress = { begin() {}, end() {} };
const clock = manualClock();
const refused = (code: string) => (): Promise<void> =>
  Promise.reject(Object.assign(new Error('no'), { code }));

async function look(environment: Record<string, string>, more: Partial<EnvironmentOptions> = {}) {
  const asked: string[] = [];
  const steps = await examineEnvironment({
    ...{
      clock,
      progress,
      environment,
      nodeVersion: '20.19.0',
      faults: [],
      found: '0 servers',
      serving: undefined,
    },
    connectTo: async (host, port) => void asked.push(`${host} ${port}`),
    ...more,
  });
  return { asked, steps, of: (name: string) => steps.find(({ step }) => step === name) };
}

describe('what is around servers', () => {
  it.each([
    ['20.19.0', 'ok'],
    ['20.18.3', 'wrong'],
    ['18.20.1', 'wrong'],
    ['24.0.0', 'ok'],
  ])('Node %s is %s', async (nodeVersion, outcome) => {
    expect((await look({}, { nodeVersion })).of('node')?.outcome).toBe(outcome);
  });

  it('needs no model, and asks nobody where no address is set', async () => {
    const { asked, of } = await look({});
    expect(of('model')?.outcome).toBe('ok');
    expect(of('address')).toBeUndefined();
    expect(asked).toEqual([]);
    expect((await look({ TENON_BASE_URL: 'no url', TENON_MODEL: 'm' })).of('model')?.outcome).toBe('wrong');
  });

  it('says which variable of the model is missing', async () => {
    const { of } = await look({ TENON_MODEL: 'some-model' });
    expect(of('model')?.findings).toMatchObject([
      { code: 'model-not-configured', cause: expect.stringContaining('TENON_BASE_URL is not set') },
    ]);
  });

  it.each([
    ['http://localhost:11434/v1', 'localhost 11434'],
    ['https://models.example/v1', 'models.example 443'],
    ['http://[::1]/v1', '::1 80'],
  ])('asks at %s whether somebody listens, and no more', async (url, wanted) => {
    const { asked, of } = await look({ TENON_BASE_URL: url, TENON_MODEL: 'm' });
    expect(asked).toEqual([wanted]);
    expect(of('address')?.outcome).toBe('ok');
  });

  it.each([
    ['ECONNREFUSED', 'model-unreachable', /Start what serves the model/],
    ['ENOTFOUND', 'host-unknown', /Correct TENON_BASE_URL/],
  ])('says of an address that cannot be reached, %s, what to do', async (code, word, remedy) => {
    const { of } = await look(
      { TENON_BASE_URL: 'http://me:hunter22@models.example/v1?key=abcdefgh', TENON_MODEL: 'm' },
      { connectTo: refused(code) },
    );
    expect(of('address')?.findings).toMatchObject([{ code: word, remedy: expect.stringMatching(remedy) }]);
    expect(JSON.stringify(of('address'))).not.toMatch(/hunter22|abcdefgh/);
  });

  it.each([
    ['EADDRINUSE', 'port-in-use'],
    ['EACCES', 'port-not-allowed'],
    ['EADDRNOTAVAIL', 'not-our-address'],
    ['EMFILE', 'port-not-usable'],
  ])('says of a port that cannot be had, %s: %s', async (code, word) => {
    const [step] = await examinePort({ host: '127.0.0.1', port: 80 }, { clock, progress }, refused(code));
    expect(step?.findings.map(finding => finding.code)).toEqual([word]);
  });
});

describe('the network', () => {
  it('tells a port that somebody listens on from one that is free, and leaves it free', async () => {
    const server = createServer(socket => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await connectTo('127.0.0.1', port);
    await expect(listenOn('127.0.0.1', port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    server.close();
    await once(server, 'close');
    await listenOn('127.0.0.1', port);
    await listenOn('127.0.0.1', port);
    await expect(connectTo('127.0.0.1', port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
