import { hash } from 'node:crypto'

/** The key of a limit in the database: a digest, because people type passwords into the address field. */
export function limitKey(...parts: string[]): string {
  return hash('sha256', JSON.stringify(parts))
}
