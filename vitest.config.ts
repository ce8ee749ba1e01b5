import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

// Test files of a project share their modules, which saves most of the time.
const shared = {
  // More than cores, because workers wait for the database and for timers.
  maxWorkers: availableParallelism() + 2,
  isolate: false,
  restoreMocks: true,
  // Slow machines need it. Only failing tests wait this long.
  testTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
}
const components = {
  ...shared,
  environment: 'jsdom',
  setupFiles: ['tests/support/setup.ts'],
  unstubGlobals: true,
  unstubEnvs: true,
  // Files share a process, in which a zone that was only deleted would stay.
  env: { TZ: 'UTC' },
}

const server = {
  ...shared,
  environment: 'node',
  // Programs that tests start load the compiled server from here.
  env: { NODE_COMPILE_CACHE: resolve('node_modules/.cache/steward/compiled') },
}

/** These tests do not depend on the database, or are about SQLite itself. They run only once. */
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

/** These tests replace modules, or check when modules load, so they cannot share modules. */
const isolated = [
  '{src,tests/screens}/**/*-code.test.{ts,tsx}',
  'tests/screens/shell/pressed-twice.test.tsx',
  'tests/screens/lists/rendered-rows.test.tsx',
]

export default defineConfig({
  test: {
    // Imports do not show which tests read these files.
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
      // scripts/with-postgres.ts runs these tests on PostgreSQL.
      { test: { ...server, name: 'server', include: ['{server,scripts}/**/*.test.ts'], exclude: onAnyDatabase } },
      { test: { ...server, name: 'any-database', include: onAnyDatabase } },
    ],
  },
})
