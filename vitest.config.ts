import { defineConfig } from 'vitest/config'

// The files of a project share their modules, which saves most of the time.
const shared = { isolate: false, testTimeout: 60_000, restoreMocks: true }
const components = {
  ...shared,
  environment: 'jsdom',
  setupFiles: ['tests/support/setup.ts'],
  unstubGlobals: true,
  expect: { poll: { timeout: 10_000 } },
}

/** They load code late, or replace modules. */
const isolated = ['src/**/*-code.test.tsx', 'src/routes/_layout/rendering.test.tsx']

export default defineConfig({
  test: {
    maxWorkers: '100%',
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
        test: { ...shared, name: 'server', include: ['server/**/*.test.ts'], environment: 'node' },
      },
    ],
  },
})
