import { describe, expect, it } from 'vitest';
import { factsOfRevision } from '../../eras/handshake/revisions.ts';
import { type Revision, revisions } from '../../eras/versions.ts';
import type { ElicitAnswer, ElicitQuestion } from '../../tools/question.ts';
import { callFrom, setUp, threeSteps, write, yes } from './fixtures/approvals.ts';

/** Those in which a server can ask. */
const asksPeople: readonly Revision[] = revisions.filter(
  revision => factsOfRevision(revision)?.structuredContent ?? true,
);

describe('a served agent whose tools need approval', () => {
  it.each(asksPeople)(
    'asks three times in revision %s, with the model calls of a run without pauses and each tool run once',
    async protocol => {
      const plain = await setUp(threeSteps(), { needsApproval: false });
      const { result: expected } = await callFrom({ protocol }, plain.served);
      const paused = await setUp(threeSteps());
      const questions: ElicitQuestion[] = [];
      const { result, progress } = await callFrom(
        {
          protocol,
          onElicit: question => {
            questions.push(question);
            return yes;
          },
        },
        paused.served,
      );
      expect(questions).toHaveLength(3);
      expect(questions[0]?.message).toBe(
        '"writer" wants to run the tool "write" with these arguments: {"name":"a"}',
      );
      expect(paused.executed).toEqual(['a', 'b', 'c']);
      expect(paused.executed).toEqual(plain.executed);
      expect(paused.model.requests).toEqual(plain.model.requests);
      expect(result.structuredContent).toEqual(expected.structuredContent);
      expect(result.structuredContent).toMatchObject({
        answer: 'written',
        turns: 4,
        toolCalls: 3,
        usage: { inputTokens: 40, outputTokens: 8, calls: 4 },
      });
      expect(progress).toEqual([...progress].sort((a, b) => a - b));
      expect(new Set(progress).size).toBe(progress.length);
    },
  );

  it.each(asksPeople)('goes on in revision %s with a run that is too large to travel', async protocol => {
    const { executed, model, served } = await setUp(threeSteps(), { note: 'x'.repeat(40_000) });
    const { result } = await callFrom({ protocol, onElicit: () => yes }, served);
    expect(result.structuredContent).toMatchObject({ answer: 'written' });
    expect(executed).toEqual(['a', 'b', 'c']);
    expect(model.requests).toHaveLength(4);
  });

  it('asks about all calls of a turn at once, and runs those that were approved', async () => {
    const { executed, model, served } = await setUp([write('a', 'b', 'c'), 'done']);
    const asked: string[] = [];
    const { result } = await callFrom(
      {
        onElicit: ({ message }) => {
          asked.push(message);
          return message.includes('"b"')
            ? { action: 'accept', content: { approve: false, reason: 'b is taken' } }
            : yes;
        },
      },
      served,
    );
    expect(asked).toHaveLength(3);
    expect(executed).toEqual(['a', 'c']);
    expect(JSON.stringify(model.requests[1])).toContain('it was not approved: b is taken');
    expect(result.structuredContent).toMatchObject({
      refusedCalls: [{ tool: 'write', reason: 'Tool "write" was not run: it was not approved: b is taken' }],
    });
  });

  it.each<[string, ElicitAnswer]>([
    ['declines', { action: 'decline' }],
    ['dismisses the question', { action: 'cancel' }],
    ['sends the form without a yes', { action: 'accept', content: { approve: false } }],
  ])('is told no when the person %s', async (_what, answer) => {
    const { executed, served } = await setUp([write('a'), 'not then']);
    const { result } = await callFrom({ onElicit: () => answer }, served);
    expect(executed).toEqual([]);
    expect(result.structuredContent).toMatchObject({ answer: 'not then', refusedCalls: [{ tool: 'write' }] });
  });

  it('is told no, without a further call, when the caller cannot ask anybody', async () => {
    const { executed, model, served } = await setUp([write('a'), 'not then']);
    const { result } = await callFrom({}, served);
    expect(executed).toEqual([]);
    expect(model.requests).toHaveLength(2);
    expect(JSON.stringify(model.requests[1])).toContain('the caller cannot ask one');
    expect(result.isError).toBe(false);
  });

  it('stops asking after fifteen rounds, and the model is told', async () => {
    const steps = [...Array.from({ length: 17 }, (_, index) => write(`f${index}`)), 'enough'];
    const { executed, model, served } = await setUp(steps);
    let asked = 0;
    const onElicit = (): ElicitAnswer => {
      asked += 1;
      return yes;
    };
    const { result } = await callFrom({ onElicit }, served);
    expect(asked).toBe(15);
    expect(executed).toHaveLength(15);
    expect(result.structuredContent).toMatchObject({ answer: 'enough', turns: 18 });
    expect(JSON.stringify(model.requests.at(-1))).toContain('people were asked 15 times in this call');
  });

  it('runs as a task where both ends can do tasks, and asks there', async () => {
    const { executed, model, served } = await setUp(threeSteps());
    const { result } = await callFrom({ onElicit: () => yes, extensions: true }, served);
    expect(result.structuredContent).toMatchObject({ answer: 'written' });
    expect(executed).toEqual(['a', 'b', 'c']);
    expect(model.requests).toHaveLength(4);
  });
});
