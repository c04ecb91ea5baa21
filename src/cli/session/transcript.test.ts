import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Given } from '../command.ts';
import { openTranscript } from './transcript.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-transcript-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);
const open = (values: Given['values']) => openTranscript({ values, words: [] });
const said = [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] as const;
const held = (name: string): string => readFileSync(at(name), 'utf8');

describe('a transcript', () => {
  it('goes to where a symbolic link leads, also when nothing is there yet', () => {
    writeFileSync(at('old.json'), '');
    symlinkSync('old.json', at('link.json'));
    symlinkSync('new.json', at('early.json'));
    for (const name of ['link.json', 'early.json']) open({ transcript: at(name) }).save(said);
    expect(held('old.json')).toContain('hello');
    expect(held('new.json')).toContain('hello');
    expect(held('link.json')).toBe(held('old.json'));
  });

  it('replaces an earlier one', () => {
    open({ transcript: at('talk.json') }).save(said);
    const { history, save } = open({ continue: at('talk.json') });
    expect(history).toEqual(said);
    save([...history, ...history]);
    expect(open({ continue: at('talk.json') }).history).toHaveLength(2);
  });

  it('replaces nothing else: no other file, no folder', () => {
    writeFileSync(at('notes.txt'), 'mine');
    expect(() => open({ transcript: at('notes.txt') })).toThrow(
      /--transcript: .*notes\.txt holds something else/,
    );
    expect(held('notes.txt')).toBe('mine');
    expect(() => open({ transcript: folder })).toThrow(/is no file that can be replaced/);
  });

  it.skipIf(process.platform === 'win32')('replaces no pipe (skipped on Windows)', () => {
    execFileSync('mkfifo', [at('pipe')]);
    symlinkSync('pipe', at('link'));
    for (const name of ['pipe', 'link']) {
      expect(() => open({ transcript: at(name) })).toThrow(/is no file that can be replaced/);
    }
  });

  it('is not where the recording is, by whatever path', () => {
    writeFileSync(at('talk.json'), '');
    symlinkSync('talk.json', at('link.json'));
    const both = /name the same file/;
    expect(() => open({ transcript: at('talk.json'), record: at('link.json') })).toThrow(both);
    expect(() => open({ transcript: at('none.json'), record: at('./none.json') })).toThrow(both);
    open({ transcript: at('talk.json') }).save(said);
    expect(() => open({ continue: at('talk.json'), record: at('talk.json') })).toThrow(both);
  });
});
