import { expect, it } from 'vitest';
import { decodeBase64, encodeBase64 } from './base64.ts';

it('gives back the bytes it was given, also more than an argument list holds', () => {
  const bytes = Uint8Array.from({ length: 20_001 }, (_none, index) => index % 256);
  expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
  expect(encodeBase64(new TextEncoder().encode('Hello'))).toBe('SGVsbG8=');
});

it('gives nothing for text that is not base64', () => {
  expect(decodeBase64('SGVs!!!bG8=')).toBeUndefined();
});
