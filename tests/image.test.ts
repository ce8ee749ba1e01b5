import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settingNames } from '../server/platform/config.ts'

const read = (file: string) => readFileSync(file, 'utf8')

test('the image has the Node version of .nvmrc', () => {
  expect(read('Dockerfile')).toContain(`\nARG NODE_IMAGE=node:${read('.nvmrc').trim()}-slim\n`)
})

/** Settings that the image or compose.yaml fixes, or that only the build or a development server reads. */
const others = new Set([
  'HOST',
  'PORT',
  'DATA_DIR',
  'DATABASE_URL',
  'SMTP_URL_FILE',
  'OIDC_CLIENT_SECRET_FILE',
  'FIRST_SUPERUSER_PASSWORD_FILE',
])

test('compose.yaml passes on every setting', () => {
  const passed = new Set(Array.from(read('compose.yaml').matchAll(/^ +([A-Z_]+):/gm), ([, name]) => name))
  const missing = settingNames.filter((name) => !passed.has(name) && !others.has(name))
  expect(missing).toEqual(['VITE_API_URL', 'DEV_PORT'])
})
