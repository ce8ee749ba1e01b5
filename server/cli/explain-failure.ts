import { inspect } from 'node:util'
import { BackupFailure } from '../operation/backup.ts'
import { ConfigError } from '../platform/config.ts'
import { NewerSchema, NoDatabase, OlderSchema } from '../platform/database/migrate.ts'
import { isUnavailable } from '../platform/database/unavailable.ts'
import { DomainError } from '../platform/errors.ts'
import { ListenFailure } from '../platform/http/listen.ts'

export class CommandFailed extends Error {
  override name = 'CommandFailed'
}

/** A command throws this for wrong arguments or settings. The message explains what it needs. */
export class WrongUsage extends Error {
  override name = 'WrongUsage'
}

const sentences = [
  BackupFailure,
  CommandFailed,
  ConfigError,
  DomainError,
  ListenFailure,
  NewerSchema,
  NoDatabase,
  OlderSchema,
  WrongUsage,
]

/** Describes a fatal error: one sentence if the operator can fix it, otherwise with a stack. */
export function explainFailure(error: unknown): string {
  if (sentences.some((kind) => error instanceof kind)) return (error as Error).message
  const { code, syscall, path } = error as Partial<NodeJS.ErrnoException>
  // DATABASE_URL may name a file with a CA certificate, and DATA_DIR names a folder.
  if (syscall === 'open' && path !== undefined) return `The file ${path} cannot be opened: ${code}`
  if (syscall === 'mkdir' && path !== undefined) return `The folder ${path} cannot be created: ${code}`
  if (isUnavailable(error)) return `The database cannot be used: ${code ? `${code} ` : ''}${(error as Error).message}`
  return inspect(error)
}

export function exitCodeOf(error: unknown): number {
  return error instanceof WrongUsage ? 2 : 1
}
