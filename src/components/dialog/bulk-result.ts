import type { BulkResult } from '@/client/types.gen'
import { countText, isolate } from '@/lib/text'

/** The ends of a sentence about one row and about several, such as `was deleted` and `were deleted`. */
type Ending = readonly [one: string, many: string]

export interface BulkWords {
  done: Ending
  already?: Ending | undefined
  isDeletion?: boolean
}

const MAX_NAMED = 3

/** @param rows the names by id @returns sentences about the result, and the ids of refused rows */
export function describeResult(
  { changed, unchanged, refused }: BulkResult,
  { done, already, isDeletion = false }: BulkWords,
  { rows, noun, plural }: { rows: ReadonlyMap<string, string>; noun: string; plural: string },
): { sentences: string[]; failed: Set<string> } {
  const sentence = (number: number, [one, many]: Ending) =>
    `${countText(number, noun, plural)} ${number === 1 ? one : many}`

  // A row that does not exist counts as deleted, because an earlier request without a response may have deleted it.
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
