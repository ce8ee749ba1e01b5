import type { Context } from '../platform/context.ts'
import { createTurns } from '../platform/http/turns.ts'
import { createCsv } from './csv.ts'

export type Lists = ReturnType<typeof createLists>

/** What the routes of all lists share. */
export function createLists(context: Context) {
  return { takeTurn: createTurns(), sendCsv: createCsv(context) }
}
