import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { configSchema } from './config-schema.ts';

describe('the published schema', () => {
  it('is the one that configurations are read by, as the package gives it away', () => {
    const file = createRequire(import.meta.url).resolve('tenon/config.schema.json');
    expect(JSON.parse(readFileSync(file, 'utf8')), 'run npm run build').toEqual(configSchema);
  });
});
