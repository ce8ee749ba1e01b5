import { mkdtempSync, realpathSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { createFolder } from './lib/durable-files.ts'

/**
 * Creates the folders of the settings that do not exist, and tries to write to each.
 * @throws ConfigError that lists every fault
 */
export function prepareFolders({ dataDir, backups }: Pick<Config, 'dataDir' | 'backups'>): void {
  const faults = [...faultsOf('DATA_DIR', dataDir), ...(backups ? faultsOf('BACKUP_DIR', backups.folder) : [])]
  if (backups && faults.length === 0 && realpathSync(dataDir) === realpathSync(backups.folder))
    faults.push('BACKUP_DIR: must be another folder than DATA_DIR')
  if (faults.length > 0) throw new ConfigError(`Invalid settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
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
