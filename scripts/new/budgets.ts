import { readFileSync } from 'node:fs'
import type { Field } from './fields.ts'

const path = 'tests/e2e/weight-budget.json'

/** Bytes for the rule, the input, the cell and the values of a field. Other screens load the code of lists and forms. */
const WEIGHTS = { list: 1_000, other: 400 }

/** Allows the screens of the signed-in what fields weigh. */
export function raiseBudgets(plural: string, fields: readonly Field[]): [path: string, text: string] {
  const weightOf = (screen: string): number => {
    if (screen === '/login') return 0
    return screen === `/${plural}` ? WEIGHTS.list : WEIGHTS.other
  }
  const text = readFileSync(path, 'utf8').replaceAll(
    /"(\/\w*)": \{ "bytes": (\d+)/g,
    (_, screen: string, bytes: string) => `"${screen}": { "bytes": ${Number(bytes) + weightOf(screen) * fields.length}`,
  )
  return [path, text]
}
