import type { Context } from '../platform/context.ts'
import { createListQueue } from '../platform/http/list-queue.ts'
import { createCsv } from './csv.ts'

export type Lists = ReturnType<typeof createLists>

/** What the routes of all lists share. */
export function createLists(context: Context) {
  return { acquire: createListQueue(), sendCsv: createCsv(context) }
}
