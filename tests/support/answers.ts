import { HttpResponse } from 'msw'
import type { ItemPublic, UserPublic } from '@/client/types.gen'

export function makeUser(values: Partial<UserPublic> = {}): UserPublic {
  return {
    id: crypto.randomUUID(),
    email: 'ada@example.com',
    full_name: 'Ada Lovelace',
    is_active: true,
    is_superuser: false,
    created_at: '2026-01-01T00:00:00.000Z',
    last_active_at: null,
    is_invited: false,
    ...values,
  }
}

export function makeItem(values: Partial<ItemPublic> = {}): ItemPublic {
  return {
    id: crypto.randomUUID(),
    title: 'Notes',
    description: null,
    owner_id: crypto.randomUUID(),
    created_at: '2026-01-01T00:00:00.000Z',
    ...values,
  }
}

/** `Item 1`, `Item 2` and so on. */
export function manyItems(count: number): ItemPublic[] {
  return Array.from({ length: count }, (_, index) => makeItem({ title: `Item ${index + 1}` }))
}

/** An error response of the API. */
export function refusal(status: number, detail: unknown, headers: Record<string, string> = {}) {
  return HttpResponse.json({ detail }, { status, headers })
}

/** A response that never arrives. */
export function never(): Promise<never> {
  return new Promise(() => undefined)
}

export function queryOf(request: Request): Record<string, string> {
  return Object.fromEntries(new URL(request.url).searchParams)
}

export function message(text: string) {
  return HttpResponse.json({ message: text })
}
