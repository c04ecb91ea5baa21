import { expect, it } from 'vitest';
import { Server } from '../../server/server.ts';
import { serveOverHttp } from './listen.ts';

/** What is said until callers can come. */
async function startAt(host: string, token: string): Promise<{ warned: string[]; announced: string }> {
  const warned: string[] = [];
  const end = new AbortController();
  let announced = '';
  const listening = {
    server: new Server({ name: 'yard', version: '1.0.0' }),
    see: 'tenon serve',
    terminal: { warn: (text: string) => void warned.push(text) },
    announce(where: string) {
      announced = where;
      end.abort();
    },
  };
  expect(await serveOverHttp(listening, { host, port: 0 }, token, end.signal)).toBe(0);
  return { warned, announced };
}

it('says that it can be reached at every address where it can', async () => {
  const { warned, announced } = await startAt('0.0.0.0', 'a-token-of-32-characters-or-more');
  expect(announced).toMatch(
    /^at http:\/\/\S+:\d+\/mcp, and at every other address of this machine, for callers that send the token$/,
  );
  expect(warned).toEqual([]);
});

it('warns of a token that can be guessed, and does not show it', async () => {
  const { warned, announced } = await startAt('127.0.0.1', 'hunter2');
  expect(announced).toMatch(/^at http:\/\/127\.0\.0\.1:\d+\/mcp, for callers/);
  expect(warned).toEqual([
    'tenon serve: the token has 7 characters, which can be guessed; take 16 or more, such as openssl rand -hex 32 gives',
  ]);
});
