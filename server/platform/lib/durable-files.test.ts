import fs, { existsSync, readdirSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFile, createFolder } from './durable-files.ts'
import { createTransport } from '../mail/transports.ts'
import { newFolder } from '../../test/new-folder.ts'

/** Records which folders are synced, with their entries at that moment. */
function recordSyncs(): [folder: string, entries: string[]][] {
  const { openSync, fsyncSync } = fs
  const paths = new Map<number, string>()
  const synced: [string, string[]][] = []
  fs.openSync = (path, ...more) => {
    const handle = openSync(path, ...more)
    paths.set(handle, String(path))
    return handle
  }
  fs.fsyncSync = (handle) => {
    const path = paths.get(handle) ?? ''
    fsyncSync(handle)
    if (fs.statSync(path).isDirectory()) synced.push([path, readdirSync(path)])
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(fs, { openSync, fsyncSync })
    syncBuiltinESMExports()
  })
  return synced
}

test.runIf(process.platform === 'linux')('a folder that cannot be made is an error', () => {
  expect(() => createFolder('/proc/steward/data')).toThrow(/ENOENT/)
})

test('the folders of a new file and its new folders are synced, once', () => {
  const folder = newFolder()
  const synced = recordSyncs()
  const file = join(folder, 'a', 'b', 'file')
  createFile(file)
  createFile(file)
  expect(synced.toSorted(([a], [b]) => a.localeCompare(b))).toEqual([
    [folder, ['a']],
    [join(folder, 'a'), ['b']],
    [join(folder, 'a', 'b'), ['file']],
  ])
})

test('a mail file is synced under its final name before it counts as sent', async () => {
  const outbox = join(newFolder(), 'outbox')
  const synced = recordSyncs()
  const transport = createTransport({ smtpUrl: undefined, from: { name: '', address: 'a@example.com' }, outbox })
  const file = await transport.send({ to: 'b@example.com', kind: 'recovery', subject: 'x', text: 'x', html: 'x' })
  expect(existsSync(file)).toBe(true)
  expect(synced.at(-1)).toEqual([outbox, [file.slice(outbox.length + 1)]])
})
