import { parseArgs } from 'node:util'

export function readNumbers<const Name extends string>(defaults: Record<Name, number>): Record<Name, number> {
  const options = Object.fromEntries(Object.keys(defaults).map((name) => [name, { type: 'string' as const }]))
  const { values } = parseArgs({ options })
  const numbers: Record<string, number> = { ...defaults }
  for (const [name, text] of Object.entries(values)) {
    if (typeof text !== 'string' || !/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a whole number`)
    numbers[name] = Number(text)
  }
  return numbers
}
