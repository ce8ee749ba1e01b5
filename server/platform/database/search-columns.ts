import { toSearchForm } from '../lib/search-form.ts'

/** The column with the search form of a text column. */
export const searchColumn = (field: string): string => `${field}_search`

/** The search forms of the given texts, by column. */
export function searchFormsOf(values: object, fields: readonly string[]): object {
  const given = Object.entries(values).filter(([field, text]) => fields.includes(field) && text !== undefined)
  return Object.fromEntries(
    given.map(([field, text]: [string, string | null]) => [
      searchColumn(field),
      text === null ? null : toSearchForm(text),
    ]),
  )
}
