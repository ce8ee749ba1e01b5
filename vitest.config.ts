import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
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
