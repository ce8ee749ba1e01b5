import type { SecondStep } from '@/client/types.gen'
import { store, tryStorage } from '@/browser/try-storage'

const KEY = 'begun_log_in'
/** The server accepts the second step for this time. */
const LIFE_MS = 5 * 60_000

export interface PendingLogIn extends SecondStep {
  text: string
}

type Stored = PendingLogIn & { until: number }

// A phone may discard the page while its user looks at the authenticator app. Enrolments are not kept, because the
// next person to open the page in this tab could set up their own app.
export function keepPendingLogIn(begun: PendingLogIn): void {
  if (begun.enrol) return
  store('sessionStorage', KEY, JSON.stringify({ ...begun, until: Date.now() + LIFE_MS }))
}

export function readPendingLogIn(): PendingLogIn | undefined {
  const kept = tryStorage(() => JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Stored | null)
  // Damaged text has no end. If the clock was set back, the remaining time is too long.
  const left = (kept?.until ?? 0) - Date.now()
  return kept && left > 0 && left <= LIFE_MS ? kept : undefined
}

export function forgetPendingLogIn(): void {
  tryStorage(() => sessionStorage.removeItem(KEY))
}
