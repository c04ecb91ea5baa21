import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../../models/model.ts';
import { projectTools } from '../../projection/project-tools.ts';
import { audio, embed, image, link, text } from '../../tools/content.ts';
import type { SdkVersion } from '../ai-sdk/results.ts';
import { toPrompt } from './prompt.ts';

const prompt = (messages: readonly ModelMessage[], version: SdkVersion = 7, shows = (): boolean => true) =>
  toPrompt(messages, { version, provider: 'ai-sdk/x', projection: projectTools([], 'generic'), shows });

describe('a prompt', () => {
  it('holds what a person gives, media as files', () => {
    const content = [
      text('see'),
      image('iVBORw0KGgo=', 'image/png'),
      audio('BBBB', 'audio/wav'),
      embed({ uri: 'file:///a.pdf', mimeType: 'application/pdf', blob: 'JVBERi0=' }),
      embed({ uri: 'file:///b.txt', text: 'words' }),
      link('file:///c', 'c'),
    ];
    expect(prompt([{ role: 'user', content }])[0]?.content).toEqual([
      { type: 'text', text: 'see' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo=' } },
      { type: 'file', mediaType: 'audio/wav', data: { type: 'data', data: 'BBBB' } },
      {
        type: 'file',
        mediaType: 'application/pdf',
        data: { type: 'data', data: 'JVBERi0=' },
        filename: 'file:///a.pdf',
      },
      { type: 'text', text: '[resource file:///b.txt]\nwords' },
      { type: 'text', text: '[resource file:///c: c]' },
    ]);
    expect(prompt([{ role: 'user', content }], 6)[0]?.content[1]).toEqual({
      type: 'file',
      mediaType: 'image/png',
      data: 'iVBORw0KGgo=',
    });
  });

  it('has words for what is not the media it says it is', () => {
    const content = [image('no base64', 'image/png'), image('AAAA', 'image/jpg')];
    expect(prompt([{ role: 'user', content }])[0]?.content).toEqual([
      { type: 'text', text: expect.stringContaining('[image, image/png') },
      { type: 'text', text: expect.stringContaining('[image, image/jpg') },
    ]);
    const untyped = [embed({ uri: 'file:///x', blob: 'AAAA' })];
    expect(prompt([{ role: 'user', content: untyped }])[0]?.content).toMatchObject([
      { type: 'file', mediaType: 'application/octet-stream' },
    ]);
  });

  it('joins the results of a turn, under the names that the model knows', () => {
    const messages: ModelMessage[] = [
      { role: 'system', content: 'Help.' },
      {
        role: 'assistant',
        content: 'Looking.',
        toolCalls: [
          { id: 'c1', name: 'a.b', arguments: '{"x":1}' },
          { id: 'c2', name: 'c', arguments: '' },
          { id: 'c3', name: 'c', arguments: '{"broken' },
        ],
      },
      { role: 'tool', toolCallId: 'c1', toolName: 'a.b', content: 'one' },
      {
        role: 'tool',
        toolCallId: 'c2',
        toolName: 'c',
        content: [image('iVBORw0KGgo=', 'image/png')],
        isError: true,
      },
      { role: 'assistant', content: '' },
    ];
    const [system, turn, results, last] = prompt(messages, 6);
    expect(system).toEqual({ role: 'system', content: 'Help.' });
    const alias = expect.stringMatching(/^a_b/);
    expect(turn?.content).toEqual([
      { type: 'text', text: 'Looking.' },
      { type: 'tool-call', toolCallId: 'c1', toolName: alias, input: { x: 1 } },
      { type: 'tool-call', toolCallId: 'c2', toolName: 'c', input: {} },
      { type: 'tool-call', toolCallId: 'c3', toolName: 'c', input: { malformed: '{"broken' } },
    ]);
    expect(results).toEqual({
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'c1', toolName: alias, output: { type: 'text', value: 'one' } },
        {
          type: 'tool-result',
          toolCallId: 'c2',
          toolName: 'c',
          output: {
            type: 'content',
            value: [
              { type: 'text', text: 'Error:' },
              { type: 'image-data', data: 'iVBORw0KGgo=', mediaType: 'image/png' },
            ],
          },
        },
      ],
    });
    expect(last).toEqual({ role: 'assistant', content: [] });
  });

  it('gives a turn back as it was only to whom it came from, and only while its calls are the same', () => {
    const items = [
      { type: 'reasoning', text: 'hm', providerOptions: { x: { sealed: 1 } } },
      { type: 'tool-call', toolCallId: 's1', toolName: 'search', input: {}, providerExecuted: true },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'c', input: {} },
    ];
    const turn = (provider: string, id: string): ModelMessage => ({
      role: 'assistant',
      content: '',
      toolCalls: [{ id, name: 'c', arguments: '{}' }],
      replay: { provider, items },
    });
    const plain = (id: string) => [{ type: 'tool-call', toolCallId: id, toolName: 'c', input: {} }];
    expect(prompt([turn('ai-sdk/x', 'c1')])[0]?.content).toBe(items);
    expect(prompt([turn('ai-sdk/y', 'c1')])[0]?.content).toEqual(plain('c1'));
    expect(prompt([turn('ai-sdk/x', 'c9')])[0]?.content).toEqual(plain('c9'));
  });
});
