import { normalizeText } from '../lib/normalized-text.ts'

export const searchColumn = (field: string): string => `${field}_search`

type NormalizedTexts<Values, Field> = {
  [Name in keyof Values & string as Name extends Field ? `${Name}_search` : never]: Values[Name]
}

export function normalizedTextsOf<Values extends object, Field extends string>(
  values: Values,
  fields: readonly Field[],
): NormalizedTexts<Values, Field> {
  const given = Object.entries(values).filter(
    ([field, text]) => (fields as readonly string[]).includes(field) && text !== undefined,
  )
  return Object.fromEntries(
    given.map(([field, text]: [string, string | null]) => [
      searchColumn(field),
      text === null ? null : normalizeText(text),
    ]),
  ) as NormalizedTexts<Values, Field>
}
