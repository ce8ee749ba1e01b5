import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// The files of a project share their modules, which saves most of the time.
const shared = {
  // Two more than cores, as some tests wait, and all of them for the database.
  maxWorkers: availableParallelism() + 2,
  isolate: false,
  restoreMocks: true,
  // Only failures wait so long, also on a slow machine.
  testTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
}
const components = {
  ...shared,
  environment: 'jsdom',
  setupFiles: ['tests/support/setup.ts'],
  unstubGlobals: true,
}

/** They load code late, or replace modules. */
const isolated = ['src/**/*-code.test.{ts,tsx}', 'src/routes/_layout/rendering.test.tsx']

export default defineConfig({
  test: {
    projects: [
      {
        extends: './vite.config.ts',
        test: {
          ...components,
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}', 'tests/*.test.ts'],
          exclude: isolated,
        },
      },
      {
        extends: './vite.config.ts',
        test: { ...components, name: 'isolated', include: isolated, isolate: true },
      },
      // On SQLite, or on the PostgreSQL that TEST_DATABASE names: scripts/with-postgres.ts.
      {
        test: { ...shared, name: 'server', include: ['{server,scripts}/**/*.test.ts'], environment: 'node' },
      },
    ],
  },
})
