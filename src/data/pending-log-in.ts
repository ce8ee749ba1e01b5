import type { SecondStep } from '@/client/types.gen'
import { store, tryStorage } from '@/browser/try-storage'

const KEY = 'begun_log_in'
/** The server accepts the second step for this time. */
const LIFE_MS = 5 * 60_000

export interface PendingLogIn extends SecondStep {
  text: string
}

// A phone may discard the page while its user looks at the authenticator app. Enrolments are not kept, because the
// next person to open the page in this tab could set up their own app.
export function keepPendingLogIn(begun: PendingLogIn): void {
  if (begun.enrol) return
  store('sessionStorage', KEY, JSON.stringify({ ...begun, until: Date.now() + LIFE_MS }))
}

export function readPendingLogIn(): PendingLogIn | undefined {
  const kept = tryStorage(() => JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as unknown)
  if (typeof kept !== 'object' || kept === null) return undefined
  const { login, methods, text, until } = kept as Record<string, unknown>
  if (typeof login !== 'string' || !Array.isArray(methods) || typeof text !== 'string') return undefined
  // If the clock was set back, the remaining time is too long.
  const left = typeof until === 'number' ? until - Date.now() : 0
  if (left <= 0 || left > LIFE_MS) return undefined
  return { login, methods: methods as PendingLogIn['methods'], enrol: false, text }
}

export function forgetPendingLogIn(): void {
  tryStorage(() => sessionStorage.removeItem(KEY))
}
