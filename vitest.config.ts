import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: [
      {
        extends: './vite.config.ts',
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}', 'tests/*.test.ts'],
          environment: 'jsdom',
          setupFiles: ['tests/support/setup.ts'],
          unstubGlobals: true,
          restoreMocks: true,
          maxWorkers: '100%',
          testTimeout: 60_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      // On SQLite, or on the PostgreSQL that TEST_DATABASE names: scripts/with-postgres.ts.
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          environment: 'node',
          restoreMocks: true,
          isolate: false,
          testTimeout: 60_000,
        },
      },
    ],
  },
})
