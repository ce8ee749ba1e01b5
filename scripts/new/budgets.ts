import { readFileSync } from 'node:fs'
import type { Field } from './fields.ts'

const path = 'tests/e2e/weight-budget.json'

/**
 * Bytes for the rule, the input, the cell and the values of a field. Other screens load the code of lists and forms, and
 * the log-in the search parameters.
 */
const WEIGHTS = { list: 1_000, other: 400, logIn: 100 }

/** Bytes of a resource in the code of all screens: its route, its search parameters and the names of its operations. */
const RESOURCE = 1_500

/** Allows the screens what fields and a new resource weigh. */
export function raiseBudgets(
  plural: string,
  fields: readonly Field[],
  { isNew = false } = {},
): [path: string, text: string] {
  const weightOf = (screen: string): number => {
    if (screen === '/login') return WEIGHTS.logIn
    return screen === `/${plural}` ? WEIGHTS.list : WEIGHTS.other
  }
  const resource = isNew ? RESOURCE : 0
  const text = readFileSync(path, 'utf8').replaceAll(
    /"(\/\w*)": \{ "bytes": (\d+)/g,
    (_, screen: string, bytes: string) =>
      `"${screen}": { "bytes": ${Number(bytes) + weightOf(screen) * fields.length + resource}`,
  )
  return [path, text]
}
