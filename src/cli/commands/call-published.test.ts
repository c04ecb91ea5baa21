import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { outcomeOf, useCommand } from '../../../test/fixtures/command.ts';
import { type ModelEndpoint, startModelEndpoint } from '../../../test/fixtures/model-endpoint.ts';
import { hasTmux, ScreenUnderTest } from '../../../test/fixtures/screen.ts';

const published = (name: string): string =>
  fileURLToPath(
    new URL(
      `../../../test/peers/reference-servers/node_modules/@modelcontextprotocol/${name}/dist/index.js`,
      import.meta.url,
    ),
  );
const everything = [process.execPath, published('server-everything')];
const filesystem = [process.execPath, published('server-filesystem')];

const tenon = useCommand();
let model: ModelEndpoint | undefined;
let screen: ScreenUnderTest | undefined;
afterEach(async () => {
  screen?.close();
  await model?.close();
  model = undefined;
});

const call = (...args: string[]) => tenon.run('call', ...args, '--', ...everything);

describe.skipIf(!existsSync(everything[1] ?? ''))(
  'a published server from the shell (skipped without npm run peers)',
  () => {
    it('has tools, resources and prompts', async () => {
      const [tools, resources, prompts] = await Promise.all(
        ['tools', 'resources', 'prompts'].map(name => tenon.run(name, '--', ...everything)),
      );
      expect(tools?.out).toMatch(/^ {2}get-sum\(a: number, b: number\) {2}/m);
      expect(resources?.out).toMatch(
        /^ {2}demo:\/\/resource\/dynamic\/text\/\{resourceId\} {2}text\/plain {2}/m,
      );
      expect(prompts?.out).toMatch(/^ {2}args-prompt\(city, state\?\) {2}/m);
    });

    it('adds numbers that were typed, and is not asked about texts', async () => {
      expect((await call('get-sum', 'a=1', 'b=2.5')).out).toContain('3.5');
      expect((await call('get-sum', 'a=1', 'b=two')).code).toBe(2);
    });

    it('gives a picture, a resource and a prompt', async () => {
      const { out } = await call('get-tiny-image');
      expect(out).toContain('saved as get-tiny-image.png]');
      expect([...readFileSync(join(tenon.folder, 'get-tiny-image.png')).subarray(1, 4)]).toEqual([
        80, 78, 71,
      ]);
      const read = await tenon.run('read', 'demo://resource/dynamic/blob/7', '--', ...everything);
      expect(read.code).toBe(0);
      expect(readdirSync(tenon.folder)).toContain('7.txt');
      const said = await tenon.run('prompt', 'args-prompt', 'city=Bern', '--', ...everything);
      expect(said.out).toMatch(/^user:\n.*Bern/);
    });

    it('is used by a model, within what the server itself permits', async () => {
      tenon.put('note.txt', 'the word is oak');
      const path = join(tenon.folder, 'note.txt');
      model = await startModelEndpoint({ tool: 'read_text_file', arguments: { path } }, 'It is oak.');
      const args = ['run', 'Read it', '--allow', 'read_*', '--', ...filesystem, tenon.folder];
      const { code, out, err } = await outcomeOf(tenon.start(args, model.environment));
      expect([code, out]).toEqual([0, 'It is oak.\n']);
      expect(err).toContain('done read_text_file: the word is oak');
    });

    describe.skipIf(!hasTmux)('in a terminal (skipped without tmux)', () => {
      it('asks for what it needs, and shows progress', async () => {
        const line = tenon.shellLine(['call', 'trigger-elicitation-request', '--', ...everything]);
        screen = new ScreenUnderTest(line, { columns: 100, lines: 50 });
        await screen.shows(/name( \(Enter: .*\))?:$/m);
        screen.press('C-d');
        await screen.shows(/^exit: 0/m);
        screen.close();
        const args = ['call', 'trigger-long-running-operation', 'duration=1', 'steps=2', '--', ...everything];
        screen = new ScreenUnderTest(tenon.shellLine(args));
        await screen.shows(/trigger-long-running-operation: \d+%/);
        expect(await screen.shows(/^exit: 0/m)).toMatch(/^Long running operation completed/);
      });
    });
  },
);
