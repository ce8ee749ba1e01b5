import { mkdtempSync, realpathSync, rmdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { createFolder } from './lib/durable-files.ts'

/** Types of file systems of Linux, as in statfs(2). Locks and syncs of other machines do not hold there. */
const networkFileSystems = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'SMB'],
])

/**
 * Creates the folders of the settings that do not exist, and tries to write to each.
 * @param typeOf of the file system of a folder, as a number of 32 bits
 * @throws ConfigError that lists every fault
 */
export function prepareFolders(
  { dataDir, databaseUrl, backups }: Pick<Config, 'dataDir' | 'databaseUrl' | 'backups'>,
  typeOf = typeOfFileSystem,
): void {
  const faults = [...faultsOf('DATA_DIR', dataDir), ...(backups ? faultsOf('BACKUP_DIR', backups.folder) : [])]
  const network = faults.length === 0 && databaseUrl === undefined ? networkFileSystems.get(typeOf(dataDir)) : undefined
  if (network !== undefined)
    faults.push(`DATA_DIR: ${dataDir} is on ${network}, where SQLite loses data: use a local disk, or PostgreSQL`)
  if (backups && faults.length === 0 && realpathSync(dataDir) === realpathSync(backups.folder))
    faults.push('BACKUP_DIR: must be another folder than DATA_DIR')
  if (faults.length > 0) throw new ConfigError(`Invalid settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
}

function typeOfFileSystem(folder: string): number {
  return process.platform === 'linux' ? statfsSync(folder).type >>> 0 : 0
}

function faultsOf(setting: string, folder: string): string[] {
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
