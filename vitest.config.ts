import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
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

const server = {
  ...shared,
  environment: 'node',
  // Of the programs that tests start, which load the server.
  env: { NODE_COMPILE_CACHE: resolve('node_modules/.cache/steward/compiled') },
}

/** The database makes no difference: tests of HTTP, settings, mail servers, and of SQLite itself. */
const onAnyDatabase = [
  'access',
  'api-docs',
  'api-examples',
  'attacks-cost',
  'attacks-files',
  'attacks-fresh',
  'attacks-fuzz',
  'attacks-http',
  'attacks-load',
  'attacks-mail',
  'backup',
  'backups',
  'commands',
  'company-log-in/provider',
  'config',
  'contract-clients',
  'durable-files',
  'headers',
  'listen',
  'make-secrets',
  'passwords-off',
  'request-ids',
  'restore',
  'serialization',
  'setting-names',
  'shared-commits',
  'smtp',
  'stop',
  'test-mail',
  'text-lines',
  'validation',
  'platform/lib/*',
].map((name) => `server/**/${name}.test.ts`)

/** They load code late, or replace modules. */
const isolated = [
  '{src,tests/screens}/**/*-code.test.{ts,tsx}',
  'tests/screens/shell/pressed-twice.test.tsx',
  'tests/screens/lists/rendered-rows.test.tsx',
]

export default defineConfig({
  test: {
    // `npm run test:changed` cannot know which tests read it.
    forceRerunTriggers: ['openapi.json', 'package-lock.json', '*.config.ts'],
    projects: [
      {
        extends: './vite.config.ts',
        test: {
          ...components,
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}', 'tests/{*,screens/**/*}.test.{ts,tsx}'],
          exclude: isolated,
        },
      },
      {
        extends: './vite.config.ts',
        test: { ...components, name: 'isolated', include: isolated, isolate: true },
      },
      // On SQLite, or on the PostgreSQL that TEST_DATABASE names: scripts/with-postgres.ts.
      { test: { ...server, name: 'server', include: ['{server,scripts}/**/*.test.ts'], exclude: onAnyDatabase } },
      { test: { ...server, name: 'any-database', include: onAnyDatabase } },
    ],
  },
})
