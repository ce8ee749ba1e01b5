import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const addResource = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/new.ts', ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

// One process for each is slow, so the errors that one call can show are one test.
test.each([
  [['resource', 'Note'], '“Note” is not a name'],
  [['resource', 'class'], '“class” is a reserved word'],
  [['resource', 'user'], '“user” is a reserved word'],
  [['resource', 'item'], '“item” is a reserved word'],
  [['resource', 'sheep', '--plural', 'sheep'], 'The plural has to differ'],
  [['resource', 'message'], '“message” is taken'],
  [['resource', 'note', '--fields', 'body:text?'], 'The first field names a row'],
  [['resource', 'note', '--fields', 'body:words'], '“words” is not a kind of field'],
  [['resource', 'note', '--fields', 'body:text, owner_id:text'], 'A field cannot be called “owner_id”'],
  [['resource', 'note', '--fields', 'body:text, body:date'], 'The field “body” is there twice'],
  [['resource', 'note', '--fields', 'body:text, done:boolean?'], '“done” is true or false'],
])('npm run new -- %j: %s', (args, message) => {
  const { status, stdout, stderr } = addResource(...args, '--dry-run')
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toContain(message)
})

test('npm run new says how it is used', () => {
  expect(addResource('resource').stderr).toContain('Usage: npm run new -- resource NAME')
})
