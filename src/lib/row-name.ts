const COMMON = /^(id|version|\w+_(id|at))$/

export const textsOf = (row: object): [field: string, text: string][] =>
  Object.entries(row).filter(
    (entry): entry is [string, string] => !COMMON.test(entry[0]) && typeof entry[1] === 'string',
  )

/** The name of a row is its first text in the contract. On the server, it is the first of `searched`. */
export const rowName = (row: object): string => textsOf(row)[0]?.[1] ?? ''
