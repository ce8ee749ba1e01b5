import { inspect } from 'node:util'
import { ConfigError } from '../lib/config.ts'
import { NewerSchema } from '../store/migrate.ts'
import { isUnavailable } from '../store/unavailable.ts'

/** Why the server or a command cannot go on: a sentence where the operator can do something about it, else all there is. */
export function explainFailure(error: unknown): string {
  if (error instanceof ConfigError || error instanceof NewerSchema) return error.message
  const { code, address, port, syscall, path } = error as Partial<
    NodeJS.ErrnoException & { address: string; port: number }
  >
  if (code === 'EADDRINUSE')
    return `Port ${port} at ${address} is in use; is Steward running there? Else set PORT to another.`
  if (code === 'EACCES' && port !== undefined) return `This user may not listen at port ${port}; set PORT to another.`
  // Such as the authority's certificate that DATABASE_URL names.
  if (syscall === 'open' && path !== undefined) return `The file ${path} cannot be read: ${code}`
  if (isUnavailable(error)) return `The database cannot be used: ${code ? `${code} ` : ''}${(error as Error).message}`
  return inspect(error)
}
