// node server/cli/make-secrets.ts FOLDER
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFileOnce } from '../platform/lib/durable-files.ts'

/** Makes the key and the password that `compose.yaml` needs, as files in a folder. Existing files stay as they are. */
export function makeSecrets(folder: string): void {
  createFileOnce(join(folder, 'secret_key'), random())
  createFileOnce(join(folder, 'database_password'), random())
  const password = readFileSync(join(folder, 'database_password'), 'utf8')
  createFileOnce(join(folder, 'database_url'), `postgres://steward:${password}@database:5432/steward`)
}

const random = (): string => randomBytes(32).toString('base64url')

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new Error('Usage: node server/cli/make-secrets.ts FOLDER')
  makeSecrets(folder)
}
