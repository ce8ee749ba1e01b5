import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTypescript, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { expect, onTestFinished, test } from 'vitest'
import { buildTestApp } from './build-test-app.ts'

const program = `
import createClient from 'openapi-fetch'
import type { paths } from './types'

export async function roundTrip(baseUrl: string) {
  const client = createClient<paths>({ baseUrl })
  const account = { email: 'jörg@exämple.de', password: 'correct horse battery' }
  const { data: user } = await client.POST('/api/v1/users/signup', { body: account })
  const { data: session } = await client.POST('/api/v1/login/access-token', {
    body: { username: account.email, password: account.password },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const headers = { authorization: 'Bearer ' + session?.access_token }
  const { data: made } = await client.POST('/api/v1/users/me/tokens', {
    body: { name: 'One', scope: 'read', expires_at: '2026-01-02T00:00:00Z' },
    headers,
  })
  const { data: list } = await client.GET('/api/v1/users/me/tokens', { headers })
  const [token] = list?.data ?? []
  if (!user || !made || !token) throw new Error('Something is missing')
  const { name, scope } = token
  const { data: ended } = await client.DELETE('/api/v1/users/me/tokens/{token_id}', {
    params: { path: { token_id: token.id } },
    headers,
  })
  const { error } = await client.GET('/api/v1/users/', { params: { query: { skip: 0, limit: 10 } }, headers })
  const message: string | undefined = ended?.message
  return { name, scope, message, count: list?.count, error }
}
`

test('a client with types by openapi-typescript compiles and makes a round trip', async () => {
  // Below node_modules, the program finds its packages.
  const folder = join(import.meta.dirname, '../../node_modules/.cache/steward/contract-client')
  await mkdir(folder, { recursive: true })
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const types = await openapiTypescript(new URL('../../openapi.json', import.meta.url))
  await writeFile(join(folder, 'types.ts'), astToString(types))
  const file = join(folder, `client-${process.pid}.ts`)
  await writeFile(file, program)

  const compiled = ts.createProgram([file], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  })
  const faults = ts.getPreEmitDiagnostics(compiled)
  expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])

  const { app } = await buildTestApp()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { roundTrip } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    roundTrip: (baseUrl: string) => Promise<object>
  }
  const error = { detail: "The user doesn't have enough privileges" }
  const ended = { message: expect.any(String) as string, count: 1, error }
  expect(await roundTrip(app.listeningOrigin)).toEqual({ name: 'One', scope: 'read', ...ended })
})
