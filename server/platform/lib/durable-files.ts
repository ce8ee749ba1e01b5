import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

// A new file or folder survives a power cut only after its parent folder is synced.

/** Creates a folder and the folders above it, only for their owner, unless they exist. */
export function createFolder(folder: string): void {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  // With `recursive`, Node would try for ever in /proc.
  if (!existsSync(parent)) createFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (isFolder(folder)) return
    throw error
  }
  syncToDisk(parent)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Creates an empty file and its folder, only for their owner, unless they exist. */
export function createFile(file: string): void {
  createFolder(dirname(file))
  if (existsSync(file)) return
  closeSync(openSync(file, 'a', 0o600))
  syncToDisk(dirname(file))
}

/** Creates a file with a text, only for its owner, unless it exists. Of several processes, the first one decides. */
export function createFileOnce(file: string, text: string): void {
  createFolder(dirname(file))
  if (existsSync(file)) return
  const unfinished = `${file}.${randomUUID()}`
  const handle = openSync(unfinished, 'wx', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
    linkSync(unfinished, file)
    syncToDisk(dirname(file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    closeSync(handle)
    rmSync(unfinished, { force: true })
  }
}

/** Syncs a file's content or a folder's entries. Windows cannot sync folders, and needs write access for files. */
export function syncToDisk(path: string): void {
  const isDirectory = isFolder(path)
  if (process.platform === 'win32' && isDirectory) return
  const handle = openSync(path, isDirectory ? 'r' : 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
