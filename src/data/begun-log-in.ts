import type { SecondStep } from '@/client/types.gen'
import { store, tryStorage } from '@/browser/try-storage'

const KEY = 'begun_log_in'
/** The server accepts the second step for this time. */
const LIFE_MS = 5 * 60_000

export interface BegunLogIn extends SecondStep {
  /** The server's message that asks for the second step. */
  text: string
}

/**
 * Keeps a log-in at its second step in this tab: a phone may throw the page away while somebody looks into the
 * authenticator app. Without the second factor it is worth nothing. One that sets up an app is not kept: whoever opens
 * the page next in this tab would set up theirs.
 */
export function keepBegunLogIn(begun: BegunLogIn): void {
  if (begun.enrol) return
  store('sessionStorage', KEY, JSON.stringify({ ...begun, until: Date.now() + LIFE_MS }))
}

export function readBegunLogIn(): BegunLogIn | undefined {
  const kept = tryStorage(() => JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as unknown)
  if (typeof kept !== 'object' || kept === null) return undefined
  const { login, methods, text, until } = kept as Record<string, unknown>
  if (typeof login !== 'string' || !Array.isArray(methods) || typeof text !== 'string') return undefined
  // The clock of the device may have been set back, so a longer rest is invalid, too.
  const left = typeof until === 'number' ? until - Date.now() : 0
  if (left <= 0 || left > LIFE_MS) return undefined
  return { login, methods: methods as BegunLogIn['methods'], enrol: false, text }
}

export function forgetBegunLogIn(): void {
  tryStorage(() => sessionStorage.removeItem(KEY))
}
