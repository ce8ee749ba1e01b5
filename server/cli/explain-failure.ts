import { inspect } from 'node:util'
import { ConfigError } from '../platform/config.ts'
import { NewerSchema, NoDatabase } from '../platform/database/migrate.ts'
import { isUnavailable } from '../platform/database/unavailable.ts'

/** Describes a fatal error: one sentence if the operator can fix it, otherwise with a stack. */
export function explainFailure(error: unknown): string {
  if ([ConfigError, NewerSchema, NoDatabase].some((kind) => error instanceof kind)) return (error as Error).message
  const { code, address, port, syscall, path } = error as Partial<
    NodeJS.ErrnoException & { address: string; port: number }
  >
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${address} is in use. If Steward is not running there, set PORT to another port.`
  if (code === 'EACCES' && port !== undefined)
    return `This user may not listen on port ${port}. Set PORT to another port.`
  // Such as the CA certificate in DATABASE_URL.
  if (syscall === 'open' && path !== undefined) return `The file ${path} cannot be read: ${code}`
  if (isUnavailable(error)) return `The database cannot be used: ${code ? `${code} ` : ''}${(error as Error).message}`
  return inspect(error)
}
