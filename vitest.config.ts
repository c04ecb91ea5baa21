import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const entries = fileURLToPath(new URL('./src/entries', import.meta.url));

export default defineConfig({
  resolve: {
    // Tests and examples read like programs of users and run on the source.
    alias: [
      { find: /^tenon$/, replacement: `${entries}/index.ts` },
      { find: /^tenon\/(.+)$/, replacement: `${entries}/$1.ts` },
    ],
  },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**', 'test/peers/**', 'test/long/**'],
    pool: 'forks',
    // Many tests wait for processes of their own: one worker alone would leave a small machine idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A limit for what hangs, far above what a loaded machine takes.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
