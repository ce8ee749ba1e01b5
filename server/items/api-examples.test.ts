import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import { expect, onTestFinished, test } from 'vitest'
import { sampleOfTable } from '../../tests/support/samples.ts'
import { addRow } from '../test/any-resource.ts'
import { buildTestApp, type List, type Person } from '../test/build-test-app.ts'
import { newFolder } from '../test/new-folder.ts'

// Runs the scripts of docs/api.md against a real server.

const page = readFileSync('docs/api.md', 'utf8')
const blocksOf = (language: string) =>
  Array.from(page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g')), ([, text = '']) => text)

/** Replaces curl, which a machine may lack. It takes the options of the examples. */
const curl = `#!${process.execPath}
const { parseArgs } = require('node:util')
const { writeFileSync } = require('node:fs')
const text = { type: 'string' }
const flag = { type: 'boolean' }
const { values: given, positionals: [url] } = parseArgs({ allowPositionals: true, options: {
  silent: flag, 'show-error': flag, 'fail-with-body': flag, get: flag, retry: text, request: text, data: text,
  'data-urlencode': text, output: text, 'write-out': text, header: { ...text, multiple: true },
} })
const headers = Object.fromEntries(given.header.map((line) => line.split(': ')))
const [name, value] = given['data-urlencode']?.split('=') ?? []
const query = given.get ? '?' + new URLSearchParams({ [name]: value }) : ''
const method = given.request ?? (given.data === undefined ? 'GET' : 'POST')
fetch(url + query, { method, headers, body: given.data }).then(async (response) => {
  const body = await response.text()
  if (given.output) writeFileSync(given.output, body)
  else process.stdout.write(body)
  if (given['write-out']) process.stdout.write(String(response.status))
  process.exitCode = response.ok ? 0 : 22
})
`

/** A server with accounts and items, and a folder with the files that the scripts read. */
async function setUp() {
  const app = await buildTestApp()
  const root = await app.newUser({ is_superuser: true })
  const ada = await app.newUser({ email: 'ada@example.com' })
  await app.newUser({ email: 'ben@example.com' })
  for (let number = 0; number < 101; number += 1) await addRow(ada, sampleOfTable('items'), { title: `Item ${number}` })
  const { token } = await app.newApiToken(root, 'write')
  const folder = newFolder()
  writeFileSync(join(folder, 'people.txt'), 'carl@example.com\nada@example.com\ndora@example.com\n')
  writeFileSync(join(folder, 'left.txt'), 'nobody@example.com\nben@example.com\n')
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  return { root, folder, read, env: { STEWARD: await app.listen(), TOKEN: token } }
}

async function expectDone(root: Person, invited: string[]) {
  const { data } = (await root.get('/users/?sort=email')).json<List<{ email: string }>>()
  expect(data.filter(({ email }) => email !== root.email)).toMatchObject([
    { email: 'ada@example.com', is_active: true, is_invited: false },
    { email: 'ben@example.com', is_active: false, is_invited: false },
    ...invited.map((email) => ({ email, is_active: true, is_invited: true })),
  ])
}

test('the scripts with curl do what they say', async () => {
  const { root, folder, env, read } = await setUp()
  writeFileSync(join(folder, 'curl'), curl)
  chmodSync(join(folder, 'curl'), 0o755)
  const shell = spawn('sh', ['-eu', '-c', blocksOf('sh').join('\n')], {
    cwd: folder,
    env: { ...env, PATH: `${folder}:${process.env['PATH']}` },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  expect(await once(shell, 'exit')).toEqual([0, null])
  await expectDone(root, ['carl@example.com', 'dora@example.com'])
  expect(read('items.csv').split('\r\n')).toHaveLength(101 + 2)
  expect(read('users.csv')).toContain('ada@example.com')
  const lines = read('audit.jsonl').trim().split('\n')
  const entries = lines.flatMap((line) => (JSON.parse(line) as List).data)
  expect(new Set(entries.map(({ id }) => id)).size).toBeGreaterThan(100)
})

test('the scripts with a generated client do what they say, also twice', async () => {
  const { root, folder, env, read } = await setUp()
  await createClient({
    input: 'openapi.json',
    output: join(folder, 'steward'),
    logs: { level: 'silent' },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  })
  Object.assign(process.env, env)
  const before = process.cwd()
  process.chdir(folder)
  onTestFinished(() => process.chdir(before))
  for (const time of ['first', 'second']) {
    for (const text of blocksOf('ts')) {
      const name = /^\/\/ (\w+)\.ts\n/.exec(text)?.[1] ?? ''
      const file = join(folder, name === 'client' ? 'client.ts' : `${name}-${time}.ts`)
      writeFileSync(file, text)
      if (name !== 'client') await import(/* @vite-ignore */ pathToFileURL(file).href)
    }
    await expectDone(root, [])
  }
  expect(read('items.jsonl').trim().split('\n')).toHaveLength(2 * 101)
})
