export interface Resource {
  id: string
}

/** The times in fields `…_at` become text. */
type Public<T> = { [key in keyof T]: key extends `${string}_at` ? string | Extract<T[key], null> : T[key] }

export function toPublic<T extends object>(resource: T): Public<T> {
  const fields = { ...resource } as Record<string, unknown>
  for (const key in fields) {
    const value = fields[key]
    if (typeof value === 'number' && key.endsWith('_at')) fields[key] = new Date(value).toISOString()
  }
  return fields as Public<T>
}

export function toPublicList<T extends Resource>({ data, count }: { data: T[]; count: number }) {
  return { data: data.map((one) => toPublic(one)), count }
}
