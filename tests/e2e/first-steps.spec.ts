import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseSettings } from '../support/database.ts'
import { removeData } from '../support/running-server.ts'
import { expect, test } from './fixtures.ts'

test('npm start serves the application, and the server stops with npm', { tag: '@wide' }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'steward-'))
  const settings = { PORT: '0', DATA_DIR: dataDir, ...(await databaseSettings(dataDir)) }
  const npm = spawn('npm', ['start'], { env: { ...process.env, ...settings } })
  let output = ''
  npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const address = () => /^Steward is ready at (\S+)$/m.exec(output)?.[1]
  await expect.poll(address).toBeDefined()
  expect(output).toMatch(/^The first superuser is admin@example.com\nTheir password is \S+ \(shown only this once\)$/m)
  expect((await fetch(`${address()}/readyz`)).status).toBe(200)

  npm.kill('SIGTERM')
  const isUp = () =>
    fetch(`${address()}/livez`).then(
      () => true,
      () => false,
    )
  await expect.poll(isUp).toBe(false)
  removeData(dataDir)
})
