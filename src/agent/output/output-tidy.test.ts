import { describe, expect, it } from 'vitest';
import { loopbackServer } from '../../models/fixtures/loopback-server.ts';
import type { Model } from '../../models/model.ts';
import { openai } from '../../models/openai/index.ts';
import { openaiResponses } from '../../models/openai-responses/index.ts';
import { scripted } from '../../testing/scripted.ts';
import { Agent } from '../agent.ts';

const output = {
  type: 'object',
  properties: { a: { type: 'string' }, b: { type: 'number' } },
  required: ['b'],
  additionalProperties: false,
} as const;
const strictAnswer = '{"a":null,"b":1}';

describe('an answer with null for what may be left out', () => {
  it.each(['native', 'text'] as const)('is the output without it, in mode %s', async outputMode => {
    const agent = new Agent({ model: scripted([strictAnswer]), output, outputMode });
    expect((await agent.run('x')).output).toEqual({ b: 1 });
  });

  it('is the output without it, in mode tool', async () => {
    const model = scripted([{ toolCalls: [{ name: 'final_answer', arguments: strictAnswer }] }]);
    const { output: value } = await new Agent({ model, output, outputMode: 'tool' }).run('x');
    expect(value).toEqual({ b: 1 });
  });

  it('is refused where nothing is to be tidied', async () => {
    const model = scripted([strictAnswer, '{"b":2}']);
    const { output: value } = await new Agent({ model, output, tidyArguments: false }).run('x');
    expect(value).toEqual({ b: 2 });
  });

  it('keeps the null that the schema allows', async () => {
    const open = {
      ...output,
      properties: { ...output.properties, a: { type: ['string', 'null'] } },
    } as const;
    const agent = new Agent({ model: scripted([strictAnswer]), output: open });
    expect((await agent.run('x')).output).toEqual({ a: null, b: 1 });
  });

  it('is not made out of nothing', async () => {
    const model = scripted(['null', '{}']);
    const { output: value } = await new Agent({ model, output: { type: 'object' } as const }).run('x');
    expect(value).toEqual({});
    expect(model.requests).toHaveLength(2);
  });
});

describe('the output of OpenAI', () => {
  const chat = {
    choices: [{ message: { role: 'assistant', content: strictAnswer }, finish_reason: 'stop' }],
  };
  const response = {
    status: 'completed',
    output: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: strictAnswer, annotations: [] }],
      },
    ],
  };
  const kinds: readonly [string, object, (baseUrl: string) => Model][] = [
    ['chat completions', chat, baseUrl => openai({ baseUrl, model: 'm', retry: false })],
    ['responses', response, baseUrl => openaiResponses({ baseUrl, model: 'm', apiKey: 'k', retry: false })],
  ];

  it.each(kinds)(
    'with null for what may be left out is taken at the first attempt, by %s',
    async (_, body, make) => {
      const server = await loopbackServer([{ json: body }]);
      try {
        const result = await new Agent({ model: make(`${server.origin}/v1`), output }).run('x');
        expect(result.output).toEqual({ b: 1 });
        expect(result.counts.turns).toBe(1);
        const [sent] = server.received;
        const wanted = JSON.stringify(sent?.body);
        expect(wanted).toContain('"required":["a","b"]');
        expect(wanted).toContain('"strict":true');
      } finally {
        await server.close();
      }
    },
  );

  it.each(kinds)('of choices is not asked for as an empty object, by %s', async (_, body, make) => {
    const said = JSON.parse(
      JSON.stringify(body).replace(JSON.stringify(strictAnswer), '"\\"a\\""'),
    ) as object;
    const server = await loopbackServer([{ json: said }]);
    try {
      const agent = new Agent({ model: make(`${server.origin}/v1`), output: { enum: ['a', 'b'] } as const });
      expect((await agent.run('x')).output).toBe('a');
      const [sent] = server.received;
      expect([sent?.body['response_format'], sent?.body['text']]).toEqual([undefined, undefined]);
    } finally {
      await server.close();
    }
  });
});
