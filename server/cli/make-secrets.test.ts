import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../platform/config.ts'
import { makeSecrets } from './make-secrets.ts'
import { newFolder } from '../test/new-folder.ts'

test('secrets are made once, for their owner only, as the settings accept them', () => {
  const folder = newFolder()
  const readAll = () => Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]))

  makeSecrets(folder)
  const made = readAll()
  makeSecrets(folder)
  expect(readAll()).toEqual(made)
  expect(Object.keys(made)).toEqual(['database_password', 'database_url', 'secret_key'])
  expect(Object.keys(made).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600, 0o600])

  const { databaseUrl, secretKey } = readConfig({
    DATABASE_URL_FILE: join(folder, 'database_url'),
    SECRET_KEY_FILE: join(folder, 'secret_key'),
  })
  expect(databaseUrl).toBe(`postgres://steward:${String(made.database_password)}@database:5432/steward`)
  expect(secretKey).toBe(String(made.secret_key))
})
