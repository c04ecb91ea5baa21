import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const entries = fileURLToPath(new URL('./src/entries', import.meta.url));

/** Tests that count the child processes of their own process, or replace a module of Node there, share it with nobody. */
const alone = [
  'src/channels/{child,stdio}-*.test.ts',
  'src/cli/commands/doctor/examine-server.test.ts',
  'test/behaviour/{channels,matrix,proxy-processes,toolset-stdio}.test.ts',
  'test/interop/odd-processes.test.ts',
];

const outside = ['**/node_modules/**', 'dist/**', 'test/peers/**', 'test/long/**'];

export default defineConfig({
  resolve: {
    // Tests and examples read like programs of users and run on the source.
    alias: [
      { find: /^tenon$/, replacement: `${entries}/index.ts` },
      { find: /^tenon\/(.+)$/, replacement: `${entries}/$1.ts` },
    ],
  },
  test: {
    pool: 'forks',
    // Many tests wait for processes of their own: one worker alone would leave a small machine idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A limit for what hangs, far above what a loaded machine takes.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    setupFiles: ['./test/fixtures/property-seed.ts', './test/fixtures/judge-loaded.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...outside, ...alone],
          // Files share a process and what it has loaded: a test leaves nothing behind.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
});
