import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { watch } from '../../test/fixtures/stdio/watch.ts';

const run = watch();

describe('stderr', () => {
  it('goes to the function, also in the last moments, and is life that is told of', async () => {
    const heard: string[] = [];
    const { collector, connection } = await run(
      `writeSync(2, 'installing…\\n'); say('ready'); onEof(() => { writeSync(2, 'bye'); process.exit(); });`,
      { stderr: text => heard.push(text) },
    );
    await collector.said('ready');
    await connection.close();
    expect(heard.join('')).toBe('installing…\nbye');
    expect(collector.activities).toContain('stderr');
    expect(collector.activities).toContain('output');
  });

  it('is kept to its last 8 KiB', async () => {
    const { collector } = await run(`writeSync(2, 'a'.repeat(50_000) + '\\nthe end'); process.exit(1)`);
    const { stderrTail } = await collector.end();
    expect(stderrTail).toHaveLength(8192);
    expect(stderrTail?.endsWith('the end')).toBe(true);
  });

  it('is not kept when it is inherited', async () => {
    const { collector } = await run(`process.exit(1)`, { stderr: 'inherit' });
    expect((await collector.end()).stderrTail).toBeUndefined();
  });

  it('does not give back a secret that the server was given', async () => {
    const { collector } = await run(`writeSync(2, 'bad key ' + process.env.API_KEY); process.exit(1)`, {
      env: { API_KEY: 'topsecret1' },
    });
    const error = await collector.end();
    expect(error.stderrTail).toBe('bad key ***');
    expect(JSON.stringify(error)).not.toContain('topsecret1');
  });

  it('function that throws is a diagnostic and no more', async () => {
    const { collector } = await run(`writeSync(2, 'x'); onEof(() => process.exit());`, {
      stderr: () => {
        throw new Error('my own bug');
      },
    });
    expect((await collector.until(() => collector.diagnostics[0])).message).toContain('my own bug');
  });
});

it('a character that was split between two chunks of stderr is put together', async () => {
  const heard: string[] = [];
  const { connection } = await run(
    `const [a, ...rest] = Buffer.from('é'); writeSync(2, Uint8Array.of(a)); await new Promise(setImmediate); writeSync(2, Uint8Array.from(rest)); onEof(() => process.exit());`,
    { stderr: text => heard.push(text) },
  );
  await connection.close();
  expect(Buffer.from(heard.join(''))).toEqual(Buffer.from('é'));
});

describe('the environment', () => {
  const report = `say('env', process.env); onEof(() => process.exit());`;

  it('holds what programs need, what was given, and no secret of ours', async () => {
    process.env['TENON_TEST_SECRET'] = 'hidden';
    try {
      const safe = await (await run(report, { env: { OWN: '1' } })).collector.said('env');
      expect(safe).toMatchObject({ PATH: process.env['PATH'], OWN: '1' });
      expect(safe).not.toHaveProperty('TENON_TEST_SECRET');
      const all = await (await run(report, { inheritEnv: 'all' })).collector.said('env');
      expect(all['TENON_TEST_SECRET']).toBe('hidden');
      const list = await (await run(report, { inheritEnv: ['TENON_TEST_SECRET'] })).collector.said('env');
      expect(list).toMatchObject({ PATH: process.env['PATH'], TENON_TEST_SECRET: 'hidden' });
    } finally {
      delete process.env['TENON_TEST_SECRET'];
    }
  });
});
