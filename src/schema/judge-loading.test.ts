/** When the judge of values is loaded, and what needs none. */
import { afterEach, describe, expect, it, vi } from 'vitest';

const person = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  required: ['name'],
  additionalProperties: false,
} as const;

describe('the judge', () => {
  afterEach(() => {
    vi.doUnmock('./judge.ts');
    vi.resetModules();
  });

  it('is loaded with the first value of a process, and answers at once from then on', async () => {
    vi.resetModules();
    const { compileSchema } = await import('./compile.ts');
    const first = compileSchema(person);
    const verdicts = [first.validate({ name: 'Ada' }), first.validate({})];
    expect(verdicts).toEqual([expect.any(Promise), expect.any(Promise)]);
    expect(await Promise.all(verdicts)).toMatchObject([{ ok: true }, { ok: false }]);
    expect(first.validate({})).toMatchObject({ ok: false });
    expect(compileSchema({ type: 'string' }).validate('a')).toEqual({ ok: true, value: 'a' });
  });

  it('is there for whoever said that values are expected, behind what is answered now', async () => {
    vi.resetModules();
    const loaded = vi.fn();
    vi.doMock('./judge.ts', async original => {
      loaded();
      return await original();
    });
    const { compileSchema, expectValues } = await import('./compile.ts');
    expectValues();
    expectValues();
    await new Promise(setImmediate);
    expect(loaded).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(loaded).toHaveBeenCalled());
    await import('./judge.ts');
    await new Promise(setImmediate);
    expect(compileSchema(person).validate({})).toMatchObject({ ok: false });
  });

  it('is not needed for values that fit at a glance, and gives the reasons for the others', async () => {
    vi.resetModules();
    vi.doMock('./judge.ts', () => {
      throw new Error('the package is gone');
    });
    const { compileSchema } = await import('./compile.ts');
    const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
    const compiled = compileSchema(schema);
    expect(compiled.validate({ text: 'a' })).toEqual({ ok: true, value: { text: 'a' } });
    await expect(compiled.validate({ text: 1 })).rejects.toThrow();
    vi.doUnmock('./judge.ts');
    expect(await compiled.validate({ text: 1 })).toMatchObject({
      ok: false,
      issues: [{ path: ['text'], message: 'must be a string' }],
    });
    expect(compiled.validate({ text: 'b' })).toEqual({ ok: true, value: { text: 'b' } });
    expect(compiled.validate({})).toMatchObject({ ok: false });
  });

  it('that cannot be loaded fails its value, and is tried again for the next', async () => {
    vi.resetModules();
    vi.doMock('./judge.ts', () => {
      throw new Error('the package is gone');
    });
    const { validate } = (await import('./compile.ts')).compileSchema(person);
    await expect(validate({})).rejects.toThrow();
    vi.doUnmock('./judge.ts');
    expect(await validate({ name: 'Ada' })).toMatchObject({ ok: true });
  });
});
