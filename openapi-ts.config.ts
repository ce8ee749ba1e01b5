import { defineConfig } from '@hey-api/openapi-ts'

/** Generates the SPA's client and the server's handler types from the contract. */
export default defineConfig([
  {
    input: './openapi.json',
    // The generated code does not support `exactOptionalPropertyTypes`. Uses of it are still checked.
    output: { path: 'src/client', header: ({ defaultValue }) => [...defaultValue, '// @ts-nocheck'] },
    plugins: [
      { name: '@hey-api/client-fetch', runtimeConfigPath: './src/data/api/client-config.ts', throwOnError: true },
      '@hey-api/typescript',
      '@hey-api/sdk',
      { name: '@tanstack/react-query', queryKeys: { tags: true }, mutationOptions: false },
      // For forms: without descriptions.
      { name: '@hey-api/schemas', type: 'form' },
    ],
  },
  { input: './openapi.json', output: { path: 'server/contract' }, plugins: ['fastify'] },
])
