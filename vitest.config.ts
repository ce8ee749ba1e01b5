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
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          environment: 'node',
          restoreMocks: true,
        },
      },
    ],
  },
})
