import { defineConfig } from 'vitest/config';
import usual from './vitest.config.ts';

const { projects: _, ...settings } = usual.test ?? {};

/** The long tier: what an issue promises and no single change waits for. */
export default defineConfig({
  ...usual,
  test: {
    ...settings,
    include: ['test/long/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    testTimeout: 600_000,
    passWithNoTests: true,
  },
});
