import type { Actor } from '../../domain/access.ts'
import type { Session } from '../../domain/sessions.ts'

export interface Resource {
  id: string
}

/** The fields `…_at` become text. */
type Public<T> = { [key in keyof T]: key extends `${string}_at` ? string | Extract<T[key], null> : T[key] }

export function toPublic<T extends object>(resource: T): Public<T> {
  const entries = Object.entries(resource).map(([key, value]: [string, unknown]) => [
    key,
    key.endsWith('_at') && typeof value === 'number' ? new Date(value).toISOString() : value,
  ])
  return Object.fromEntries(entries) as Public<T>
}

/** @returns the page of a list as the contract describes it */
export function toPublicList<T extends Resource>(page: {
  data: T[]
  count: number
}): { data: Public<T>[]; count: number } {
  return { data: page.data.map(toPublic), count: page.count }
}

/** @param actor whose session is the current one */
export function toPublicSessions({ data, count }: { data: Session[]; count: number }, { sessionId }: Actor) {
  return { data: data.map((session) => ({ ...toPublic(session), current: session.id === sessionId })), count }
}
