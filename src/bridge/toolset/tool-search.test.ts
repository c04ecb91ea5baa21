import { describe, expect, it } from 'vitest';
import { wordsOf } from './search-words.ts';
import { type SearchText, ToolIndex } from './tool-search.ts';

function entry(name: string, description: string, parameters: string[] = [], server = 'main'): SearchText {
  return { name, description, parameters, server };
}

const tools = [
  entry('create_issue', 'Opens a new issue in a repository', ['title', 'body']),
  entry('listIssues', 'Lists the issues of a repository'),
  entry('send_mail', 'Sends a message to somebody', ['to', 'subject']),
  entry('get_weather', 'Tells how warm it is in a city', ['city']),
  entry('delete_branch', 'Removes a branch of a repository', [], 'github'),
  entry('天気を調べる', '指定した都市の天気を調べます'),
];

function find(query: string, most = 3): (string | undefined)[] {
  return new ToolIndex(tools).find(query, most).map(number => tools[number]?.name);
}

describe('a search finds', () => {
  it.each([
    ['weather in Oslo', 'get_weather'],
    ['open a new issue', 'create_issue'],
    ['list all issues', 'listIssues'],
    ['mail', 'send_mail'],
    ['email messages', 'send_mail'],
    ['github', 'delete_branch'],
    ['subject', 'send_mail'],
    ['temperature of a CITY', 'get_weather'],
    ['repo branches', 'delete_branch'],
    ['天気', '天気を調べる'],
  ])('for %j first %s', (query, name) => {
    expect(find(query)[0]).toBe(name);
  });

  it('nothing for words that no tool has, for no words, and for words that all have', () => {
    expect(find('quantum chromodynamics')).toEqual([]);
    expect(find('')).toEqual([]);
    expect(find('?! ,,')).toEqual([]);
    expect(find('use the tool')).toEqual([]);
    expect(new ToolIndex([]).find('a', 3)).toEqual([]);
  });

  it('no more than was asked for, in the order of the list where nothing tells them apart', () => {
    const alike = Array.from({ length: 10 }, (_, index) => entry(`alike_${index}`, 'the same words'));
    expect(new ToolIndex(alike).find('same words', 4)).toEqual([0, 1, 2, 3]);
  });

  it('in bounded time whatever it is given', () => {
    const long = 'word '.repeat(200_000);
    const index = new ToolIndex([entry('a', long), entry('b', 'x'.repeat(1_000_000))]);
    expect(index.find(long, 5)).toEqual([0]);
    expect(wordsOf(long).length).toBeLessThanOrEqual(400);
  });
});

it('words are taken apart and brought to one form', () => {
  expect(wordsOf('getHTTPResponses for my_repositories-2 Ｆｕｌｌ classes')).toEqual([
    'get',
    'http',
    'response',
    'repository',
    '2',
    'full',
    'classe',
  ]);
});
