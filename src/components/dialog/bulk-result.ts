import type { BulkResult } from '@/client/types.gen'
import { isolate } from '@/lib/isolate'
import { countText } from '@/lib/range-text'

/** The end of a sentence, after `1 user` and after `2 users`. */
type Ending = readonly [one: string, many: string]

/** The words of an action. */
export interface BulkWords {
  /** Of rows that were changed. */
  done: Ending
  /** Of rows that needed no change; absent if each row needs one. */
  already?: Ending | undefined
  isDeletion?: boolean
}

/** Of more refused rows, a message has the number instead of the names. */
const MAX_NAMED = 3

/** Says what became of the rows. @param rows names by id @returns sentences, and the ids of rows that were refused */
export function describeResult(
  { changed, unchanged, refused }: BulkResult,
  { done, already, isDeletion = false }: BulkWords,
  { rows, noun, plural }: { rows: ReadonlyMap<string, string>; noun: string; plural: string },
): { sentences: string[]; failed: Set<string> } {
  const sentence = (number: number, [one, many]: Ending) =>
    `${countText(number, noun, plural)} ${number === 1 ? one : many}`

  // A row that is gone counts as deleted, as after a 404. An earlier request without a response may have deleted it.
  const failures = refused.filter(({ detail }) => !(isDeletion && detail.endsWith(' not found')))
  const number = changed + refused.length - failures.length
  const sentences: string[] = []
  if (number > 0 || unchanged + failures.length === 0) sentences.push(sentence(number, done))
  if (already && unchanged > 0) sentences.push(sentence(unchanged, already))
  for (const reason of new Set(failures.map(({ detail }) => detail))) {
    const ids = failures.flatMap(({ id, detail }) => (detail === reason ? [id] : []))
    const names = ids.flatMap((id) => rows.get(id) ?? [])
    const areNamed = names.length === ids.length && names.length <= MAX_NAMED
    const who = areNamed ? names.map(isolate).join(', ') : countText(ids.length, noun, plural)
    sentences.push(`${who} could not be ${isDeletion ? 'deleted' : 'changed'}: ${reason}.`)
  }
  return { sentences, failed: new Set(failures.map(({ id }) => id)) }
}
