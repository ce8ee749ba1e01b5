import { mkdtempSync, realpathSync, rmdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { createFolder } from './lib/durable-files.ts'

/** Network file systems by their type in Linux's statfs(2). A lock of one machine does not hold for other machines. */
const networkFileSystems = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'SMB'],
])

/** Creates missing folders and tries to write to each. @throws ConfigError that lists every error */
export function prepareFolders(
  { dataDir, databaseUrl, backups }: Pick<Config, 'dataDir' | 'databaseUrl' | 'backups'>,
  typeOf = typeOfFileSystem,
): void {
  const errors = [...errorsOf('DATA_DIR', dataDir), ...(backups ? errorsOf('BACKUP_DIR', backups.folder) : [])]
  const network = errors.length === 0 && databaseUrl === undefined ? networkFileSystems.get(typeOf(dataDir)) : undefined
  if (network !== undefined)
    errors.push(`DATA_DIR: ${dataDir} is on ${network}, where SQLite loses data: use a local disk, or PostgreSQL`)
  if (backups && errors.length === 0 && realpathSync(dataDir) === realpathSync(backups.folder))
    errors.push('BACKUP_DIR: must be another folder than DATA_DIR')
  if (errors.length > 0) throw new ConfigError(`Invalid settings:\n${errors.map((error) => `  ${error}`).join('\n')}`)
}

function typeOfFileSystem(folder: string): number {
  return process.platform === 'linux' ? statfsSync(folder).type >>> 0 : 0
}

function errorsOf(setting: string, folder: string): string[] {
  try {
    createFolder(folder)
    rmdirSync(mkdtempSync(join(folder, '.writable-')))
    return []
  } catch (error) {
    const { code = 'unknown', syscall = '' } = error as NodeJS.ErrnoException
    const isFile = code === 'EEXIST' || code === 'ENOTDIR'
    if (isFile) return [`${setting}: ${folder} is, or is in, a file`]
    return [`${setting}: the folder ${folder} cannot be ${syscall === 'mkdir' ? 'created' : 'written'}: ${code}`]
  }
}
