import { describe, expect, it } from 'vitest';
import { codes, ProtocolError } from '../rpc/protocol-error.ts';
import { blameValue } from './unwritable.ts';

describe('a request that fails inside', () => {
  const failed = new ProtocolError(codes.internalError, 'it broke');

  it('is blamed on arguments that no JSON can hold', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const value of [{ x: 10n }, circle]) {
      const blamed = blameValue('the arguments of a', value, failed);
      expect(blamed).toBeInstanceOf(TypeError);
      expect(blamed).toMatchObject({
        message: expect.stringMatching(/^the arguments of a cannot be written as JSON: ./),
      });
    }
  });

  it('is the failure of the server with any other arguments, and so is every other failure', () => {
    expect(blameValue('x', { a: 1 }, failed)).toBe(failed);
    const refused = new ProtocolError(codes.invalidParams, 'no');
    expect(blameValue('x', 1n, refused)).toBe(refused);
  });
});
