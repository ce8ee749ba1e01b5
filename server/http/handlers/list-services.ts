import type { SendCsv } from '../csv.ts'
import type { TakeTurn } from '../turns.ts'

/** What the handlers of lists share. */
export interface ListServices {
  takeTurn: TakeTurn
  sendCsv: SendCsv
}
