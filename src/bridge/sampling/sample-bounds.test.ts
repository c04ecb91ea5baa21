import { describe, expect, it } from 'vitest';
import { manualClock } from '../../basics/manual-clock.ts';
import type { Usage } from '../../models/model.ts';
import { ModelError } from '../../models/model-error.ts';
import { scripted } from '../../testing/scripted.ts';
import type { SampleQuestion } from '../../tools/question.ts';
import { answerSampling } from './answer-sampling.ts';

const hello: SampleQuestion = {
  messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
  maxTokens: 50,
};

describe('the bounds', () => {
  const ask = (handler: ReturnType<typeof answerSampling>) =>
    handler(hello, { signal: new AbortController().signal }).then(
      () => 'answered',
      (error: { reason: string }) => error.reason,
    );

  it('hold for all requests of a life and of a minute, refused ones included', async () => {
    const clock = manualClock();
    let allow = false;
    const handler = answerSampling(scripted(['x'], { cycle: true }), {
      approve: () => allow,
      maxRequests: 5,
      maxPerMinute: 2,
      clock,
    });
    expect(await ask(handler)).toContain('rejected');
    allow = true;
    expect(await ask(handler)).toBe('answered');
    expect(await ask(handler)).toContain('2 sampling requests a minute');
    clock.advance(60_000);
    expect(await ask(handler)).toBe('answered');
    clock.advance(60_000);
    expect(await ask(handler)).toBe('answered');
    clock.advance(60_000);
    expect(await ask(handler)).toBe('answered');
    clock.advance(60_000);
    expect(await ask(handler)).toContain('5 sampling requests at most');
  });

  it('hold for tokens, also of answers that failed', async () => {
    const used: Usage[] = [];
    const failure = new ModelError('cut', {
      kind: 'transport',
      provider: 'p',
      usage: { inputTokens: 4, outputTokens: 0, requests: 1 },
    } as never);
    const model = scripted([failure, { text: 'x', usage: { inputTokens: 5, outputTokens: 2 } }]);
    const handler = answerSampling(model, {
      approve: 'always',
      maxTotalTokens: 10,
      onUsage: usage => void used.push(usage),
    });
    expect(await ask(handler)).toContain('cut');
    expect(await ask(handler)).toBe('answered');
    expect(await ask(handler)).toContain('10 tokens');
    expect(used).toMatchObject([{ inputTokens: 4 }, { inputTokens: 5, outputTokens: 2 }]);
  });

  it('let only so many be decided and answered at once', async () => {
    let open = 0;
    let most = 0;
    const opened: (() => void)[] = [];
    const approve = () => {
      open += 1;
      most = Math.max(most, open);
      return new Promise<boolean>(resolve => {
        opened.push(() => {
          open -= 1;
          resolve(true);
        });
      });
    };
    const handler = answerSampling(scripted(['x'], { cycle: true }), { approve, maxConcurrent: 2 });
    const all = Promise.all([ask(handler), ask(handler), ask(handler)]);
    for (let done = 0; done < 3; ) {
      const next = opened.shift();
      if (next) {
        next();
        done += 1;
      } else await Promise.resolve();
    }
    expect(await all).toEqual(['answered', 'answered', 'answered']);
    expect(most).toBe(2);
  });
});
