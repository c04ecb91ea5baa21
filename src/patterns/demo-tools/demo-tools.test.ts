import { describe, expect, it } from 'vitest';
import { calculator, demoTools, echo } from './demo-tools.ts';

const run = (tool: { run: (args: never, ctx: never) => unknown }, args: object): unknown =>
  tool.run(args as never, undefined as never);

describe('the demo tools', () => {
  it('are exactly a calculator and an echo, and the list cannot be changed', () => {
    expect(demoTools.map(tool => tool.name)).toEqual(['calculator', 'echo']);
    expect(Object.isFrozen(demoTools)).toBe(true);
    expect(Object.isFrozen(calculator)).toBe(true);
  });
  it.each(demoTools.map(tool => [tool.name, tool] as const))(
    '%s forbids other arguments, has five seconds and says it changes nothing',
    (_name, tool) => {
      expect(tool.input).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.timeout).toBe(5000);
      expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    },
  );
  it('compute, without ".0" on whole numbers', () => {
    expect(run(calculator, { expression: '17 * 83' })).toBe('1411');
    expect(() => run(calculator, { expression: 'x' })).toThrow(/unexpected "x"/);
  });
  it('give text back as it is', () => {
    expect(run(echo, { text: ' a\n b ' })).toBe(' a\n b ');
  });
});
