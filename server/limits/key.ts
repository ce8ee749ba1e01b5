import { hash } from 'node:crypto'

/** The key of a limit in the database. A digest, as users sometimes type their password into the address field. */
export function limitKey(...parts: string[]): string {
  return hash('sha256', JSON.stringify(parts))
}
