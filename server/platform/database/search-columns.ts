import { toSearchForm } from '../lib/search-form.ts'

/** The column with the search form of a text column. */
export const searchColumn = (field: string): string => `${field}_search`

type SearchForms<Values, Field> = {
  [Name in keyof Values & string as Name extends Field ? `${Name}_search` : never]: Values[Name]
}

/** The search forms of the given texts, by column. */
export function searchFormsOf<Values extends object, Field extends string>(
  values: Values,
  fields: readonly Field[],
): SearchForms<Values, Field> {
  const given = Object.entries(values).filter(
    ([field, text]) => (fields as readonly string[]).includes(field) && text !== undefined,
  )
  return Object.fromEntries(
    given.map(([field, text]: [string, string | null]) => [
      searchColumn(field),
      text === null ? null : toSearchForm(text),
    ]),
  ) as SearchForms<Values, Field>
}
