import { defineConfig } from '@hey-api/openapi-ts'

export default defineConfig([
  {
    input: './openapi.json',
    // The generated code violates `exactOptionalPropertyTypes`. Code that uses it is still checked.
    output: { path: 'src/client', header: ({ defaultValue }) => [...defaultValue, '// @ts-nocheck'] },
    plugins: [
      { name: '@hey-api/client-fetch', runtimeConfigPath: './src/data/api/client-config.ts', throwOnError: true },
      '@hey-api/typescript',
      '@hey-api/sdk',
      { name: '@tanstack/react-query', queryKeys: { tags: true }, mutationOptions: false },
      // Schemas for forms have no descriptions.
      { name: '@hey-api/schemas', type: 'form' },
    ],
  },
  { input: './openapi.json', output: { path: 'server/contract' }, plugins: ['fastify'] },
])
