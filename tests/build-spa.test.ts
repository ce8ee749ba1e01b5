import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { digestInputs } from '../scripts/build-spa.ts'

test('a changed VITE_ setting in an .env file makes a build stale, a changed server setting does not', () => {
  const directory = mkdtempSync(join(tmpdir(), 'steward-env-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const digestWith = (text: string) => {
    writeFileSync(join(directory, '.env'), text)
    return digestInputs(directory)
  }
  const before = digestWith('VITE_API_URL=https://one.test\nPORT=1')
  expect(digestWith('VITE_API_URL=https://two.test\nPORT=1')).not.toBe(before)
  expect(digestWith('VITE_API_URL=https://one.test\nPORT=2')).toBe(before)
})
