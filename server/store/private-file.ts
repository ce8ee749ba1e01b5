import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Creates a file and its folder, readable only by their owner, unless they exist. */
export function ensurePrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
}

/** Syncs a file's content or a folder's entries. Windows cannot sync folders, and needs write access for files. */
export function syncToDisk(path: string): void {
  const isFolder = statSync(path).isDirectory()
  if (process.platform === 'win32' && isFolder) return
  const handle = openSync(path, isFolder ? 'r' : 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
