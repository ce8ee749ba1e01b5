import { constants, copyFileSync, existsSync, linkSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { withSqlite } from '../platform/database/with-sqlite.ts'
import { createFolder, syncToDisk } from '../platform/lib/durable-files.ts'

export const filesBeside = (backup: string): string => `${backup}.files`

interface StoredFile {
  id: string
  size: number
  isAttached: 0 | 1
}

/** Reads which stored files a database needs. A database of an earlier version has no table of files. */
function readFilesOf(database: string): StoredFile[] {
  return withSqlite(database, { readonly: true }, (opened) => {
    const table = opened.prepare("select 1 from sqlite_master where type = 'table' and name = 'files'")
    if (table.get() === undefined) return []
    const query = 'select id, size, expires_at is null as isAttached from files where type is not null order by id'
    return opened.prepare<[], StoredFile>(query).all()
  })
}

const isThere = (file: string, size: number): boolean => statSync(file, { throwIfNoEntry: false })?.size === size

/**
 * Contents can be copied after the database, because they never change and are kept for a day after their row.
 * @param from folders with contents; a content of an earlier backup is linked instead of copied if the disk is the same
 * @returns how many attached files have their content in none of the folders
 */
export function copyFiles(database: string, from: { files: string; earlier?: readonly string[] }, to: string): number {
  let missing = 0
  const named = readFilesOf(database)
  if (named.length > 0) createFolder(to)
  for (const { id, size, isAttached } of named) {
    const target = join(to, id)
    if (isThere(target, size)) continue
    rmSync(target, { force: true })
    const earlier = from.earlier?.map((folder) => join(folder, id)).find((file) => isThere(file, size))
    const source = join(from.files, id)
    if (earlier !== undefined && link(earlier, target)) continue
    if (isThere(source, size)) {
      copyFileSync(source, target, constants.COPYFILE_FICLONE)
      syncToDisk(target)
    } else missing += isAttached
  }
  if (named.length > 0) syncToDisk(to)
  return missing
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch {
    return false
  }
}

export function removeUnnamedFiles(backup: string): void {
  const folder = filesBeside(backup)
  if (!existsSync(folder)) return
  const named = new Set(readFilesOf(backup).map(({ id }) => id))
  for (const name of readdirSync(folder)) if (!named.has(name)) rmSync(join(folder, name))
}

export function missingFilesWarning(count: number, places: string): string | undefined {
  if (count === 0) return undefined
  return `The content of ${count} ${count === 1 ? 'file' : 'files'} is missing in ${places}`
}

export function bucketNote({ place }: { place: string }): string {
  return `The contents of its files are in ${place}, which is not backed up`
}
