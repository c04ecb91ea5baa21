import { describe, expect, it } from 'vitest';
import { downlevel } from './downlevel.ts';
import { factsOfRevision, handshakeRevisions, type RevisionFacts } from './revisions.ts';

function facts(revision: string): RevisionFacts {
  const row = factsOfRevision(revision);
  if (!row) throw new Error(`no row for ${revision}`);
  return row;
}

const object = { type: 'object', properties: { a: { type: 'number' } } } as const;
const tool = {
  name: 'full',
  title: 'Full',
  description: 'has it all',
  inputSchema: { type: 'object' },
  outputSchema: object,
  annotations: { readOnlyHint: true },
  icons: [{ src: 'data:image/png;base64,AA' }],
  _meta: { 'example.org/x': 1 },
};
const basic = { name: 'full', description: 'has it all', inputSchema: { type: 'object' } };

describe('a list of tools', () => {
  it.each([
    ['2024-11-05', basic],
    ['2025-03-26', { ...basic, annotations: tool.annotations }],
    [
      '2025-06-18',
      {
        ...basic,
        annotations: tool.annotations,
        title: 'Full',
        outputSchema: object,
        _meta: tool._meta,
      },
    ],
    ['2025-11-25', tool],
  ])('says in %s what that revision can', (revision, expected) => {
    const value = { tools: [tool], nextCursor: 'more' };
    expect(downlevel('tools/list', value, facts(revision))).toEqual({
      tools: [expected],
      nextCursor: 'more',
    });
  });

  it.each([{ type: 'array', items: object }, { type: 'string' }, { anyOf: [object] }, {}])(
    'leaves out an output schema that does not describe an object: %j',
    outputSchema => {
      const value = { tools: [{ ...tool, outputSchema }] };
      for (const revision of handshakeRevisions) {
        const [listed] = downlevel('tools/list', value, facts(revision))['tools'] as object[];
        expect(listed).not.toHaveProperty('outputSchema');
      }
    },
  );

  it('is rewritten once per revision, and never changed', () => {
    const value = Object.freeze({ tools: [tool] });
    const before = structuredClone(value);
    const first = downlevel('tools/list', value, facts('2024-11-05'));
    expect(downlevel('tools/list', value, facts('2024-11-05'))).toBe(first);
    expect(downlevel('tools/list', value, facts('2025-11-25'))).not.toBe(first);
    expect(value).toEqual(before);
  });
});

describe('other lists', () => {
  const extras = { title: 'T', icons: [{ src: 'data:,' }], _meta: { 'example.org/x': 1 } };
  const annotations = { priority: 1, lastModified: '2025-01-01T00:00:00Z' };
  const uri = 'file:///a';
  const entry = { uri, name: 'a', mimeType: 'text/plain', size: 3, annotations, ...extras };
  const plainEntry = { uri, name: 'a', mimeType: 'text/plain', size: 3, annotations: { priority: 1 } };
  const third = { ...plainEntry, annotations, title: 'T', _meta: extras._meta };

  it.each([
    ['2024-11-05', plainEntry],
    ['2025-03-26', plainEntry],
    ['2025-06-18', third],
    ['2025-11-25', entry],
  ])('of resources and templates say in %s what that revision can', (revision, expected) => {
    const row = facts(revision);
    expect(downlevel('resources/list', { resources: [entry] }, row)).toEqual({ resources: [expected] });
    const { uri: _uri, ...family } = entry;
    const { uri: _other, ...known } = expected;
    const resourceTemplates = [{ ...family, uriTemplate: 'file:///{a}' }];
    expect(downlevel('resources/templates/list', { resourceTemplates }, row)).toEqual({
      resourceTemplates: [{ ...known, uriTemplate: 'file:///{a}' }],
    });
  });

  it.each([
    ['2024-11-05', { name: 'p', description: 'd', arguments: [{ name: 'x', required: true }] }],
    [
      '2025-06-18',
      {
        name: 'p',
        description: 'd',
        arguments: [{ name: 'x', title: 'X', required: true }],
        title: 'T',
        _meta: extras._meta,
      },
    ],
    [
      '2025-11-25',
      { name: 'p', description: 'd', arguments: [{ name: 'x', title: 'X', required: true }], ...extras },
    ],
  ])('of prompts say in %s what that revision can', (revision, expected) => {
    const prompts = [
      { name: 'p', description: 'd', arguments: [{ name: 'x', title: 'X', required: true }], ...extras },
    ];
    expect(downlevel('prompts/list', { prompts }, facts(revision))).toEqual({ prompts: [expected] });
  });

  it.each([
    ['2024-11-05', 'text', 'text'],
    ['2025-03-26', 'text', 'audio'],
    ['2025-06-18', 'resource_link', 'audio'],
    ['2025-11-25', 'resource_link', 'audio'],
  ])('and messages of a prompt hold in %s a %s and a %s', (revision, first, second) => {
    const messages = [
      { role: 'user', content: link },
      { role: 'assistant', content: audio },
      { role: 'user', content: image },
    ];
    const value = { description: 'd', messages };
    const given = downlevel('prompts/get', value, facts(revision)) as typeof value;
    expect(given.messages.map(({ content }) => content.type)).toEqual([first, second, 'image']);
    expect(given.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(given.description).toBe('d');
  });
});

const link = { type: 'resource_link', uri: 'file:///a', name: 'a', description: 'about a' } as const;
const audio = { type: 'audio', data: 'AA', mimeType: 'audio/wav' } as const;
const image = { type: 'image', data: 'AA', mimeType: 'image/png' } as const;
const plain = { type: 'text', text: 'plain' } as const;
const linkText = { type: 'text', text: '[a](file:///a) - about a' };
const audioText = {
  type: 'text',
  text: '[audio, audio/wav: this revision of the protocol cannot carry it]',
};

describe('the result of a call', () => {
  it.each([
    ['2024-11-05', [plain, image, audioText, linkText], false],
    ['2025-03-26', [plain, image, audio, linkText], false],
    ['2025-06-18', [plain, image, audio, link], true],
    ['2025-11-25', [plain, image, audio, link], true],
  ] as const)('says in %s what that revision can', (revision, content, structured) => {
    const value = { content: [plain, image, audio, link], structuredContent: { a: 1 }, isError: true };
    const before = structuredClone(value);
    expect(downlevel('tools/call', value, facts(revision))).toEqual({
      content,
      isError: true,
      ...(structured ? { structuredContent: { a: 1 } } : {}),
    });
    expect(value).toEqual(before);
  });

  it.each([[[1, 2]], ['text'], [7], [null], [false]])(
    'leaves out structured content that is no object: %j',
    structuredContent => {
      const value = { content: [plain], structuredContent };
      for (const revision of handshakeRevisions) {
        expect(downlevel('tools/call', value, facts(revision))).toEqual({ content: [plain] });
      }
    },
  );

  it('always has content, since clients of these revisions insist', () => {
    expect(downlevel('tools/call', { structuredContent: { a: 1 } }, facts('2025-11-25'))).toEqual({
      content: [],
      structuredContent: { a: 1 },
    });
  });

  it('keeps what the handler put into _meta', () => {
    const value = { content: [], _meta: { 'example.org/x': 1 } };
    expect(downlevel('tools/call', value, facts('2024-11-05'))).toEqual(value);
  });
});

it('leaves the results of other methods alone', () => {
  const value = { anything: [1] };
  expect(downlevel('resources/list', value, facts('2024-11-05'))).toBe(value);
});
