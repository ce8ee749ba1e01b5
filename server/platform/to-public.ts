export interface Resource {
  id: string
}

/** The fields `…_at` become text. */
type Public<T> = { [key in keyof T]: key extends `${string}_at` ? string | Extract<T[key], null> : T[key] }

export function toPublic<T extends object>(resource: T): Public<T> {
  const fields = { ...resource } as Record<string, unknown>
  for (const [key, value] of Object.entries(fields)) fields[key] = publicValue(key, value)
  return fields as Public<T>
}

export function publicValue(key: string, value: unknown): unknown {
  return key.endsWith('_at') && typeof value === 'number' ? new Date(value).toISOString() : value
}

/** @returns the page of a list as the contract describes it */
export function toPublicList<T extends Resource>(page: {
  data: T[]
  count: number
}): { data: Public<T>[]; count: number } {
  return { data: page.data.map(toPublic), count: page.count }
}
