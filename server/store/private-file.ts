import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Makes a file that only its owner may read, and its folder, where they are not there yet. */
export function ensurePrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
}

/** A file's content, or a folder's entries, onto the disk. Windows does folders by itself, and files only for who may write. */
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
