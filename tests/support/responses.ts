import { HttpResponse } from 'msw'
import type { UserPublic } from '@/client/types.gen'
import { emptyProfile } from './samples'

export function makeUser(values: Partial<UserPublic> = {}): UserPublic {
  return {
    id: crypto.randomUUID(),
    email: 'ada@example.com',
    ...emptyProfile,
    full_name: 'Ada Lovelace',
    is_active: true,
    is_superuser: false,
    created_at: '2026-01-01T00:00:00.000Z',
    last_active_at: null,
    is_invited: false,
    ...values,
  }
}

export const manyUsers = (count: number): UserPublic[] =>
  Array.from({ length: count }, (_, index) => makeUser({ email: `u${index}@example.com`, full_name: `User ${index}` }))

export function refusal(status: number, detail: unknown, headers: Record<string, string> = {}) {
  return HttpResponse.json({ detail }, { status, headers })
}

export function never(): Promise<never> {
  return new Promise(() => undefined)
}

export function queryOf(request: Request): Record<string, string> {
  return Object.fromEntries(new URL(request.url).searchParams)
}

export function message(text: string) {
  return HttpResponse.json({ message: text })
}
