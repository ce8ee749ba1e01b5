import { UserError } from './api/errors'
import { forgetPendingLogIn } from './pending-log-in'
import { store, tryStorage } from '@/browser/try-storage'

const KEY = 'access_token'
/** Set if the session began at a provider of company accounts, where the user may stay logged in. */
const AT_PROVIDER_KEY = 'logged_in_at_provider'
/** Tells other tabs, before the token is removed, that the server has ended the session. */
const EXPIRED_KEY = 'session_expired'

/** `changed` is a log-in, log-out or new token; `expired` means that the server has ended the session. */
export type SessionEvent = 'changed' | 'expired'
type Listener = (event: SessionEvent) => Promise<void>

const listeners = new Set<Listener>()

/** An invalid token that could not be removed from the storage. */
let endedToken: string | null = null

export function getToken(): string | null {
  const token = tryStorage(() => localStorage.getItem(KEY))?.trim() || null
  return token === endedToken ? null : token
}

export async function beginSession(token: string): Promise<void> {
  storeSession(token)
  await enterSession()
}

/** Does not update the application, which `enterSession` does. @throws UserError if the browser blocks storage */
export function storeSession(token: string, { isAtProvider = false } = {}): void {
  takeAtProvider()
  forgetPendingLogIn()
  if (!store('localStorage', KEY, token))
    throw new UserError('Your browser does not store the session. Allow site data for this site and log in again.')
  if (isAtProvider) store('localStorage', AT_PROVIDER_KEY, '1')
}

/** Whether the last session began at a provider. Only the first call after its end returns true. */
export function takeAtProvider(): boolean {
  const isAtProvider = tryStorage(() => localStorage.getItem(AT_PROVIDER_KEY)) === '1'
  tryStorage(() => localStorage.removeItem(AT_PROVIDER_KEY))
  return isAtProvider
}

export const enterSession = (): Promise<void> => notify('changed')

/** Only an `expired` session leaves a draft. */
export function endSession(event: SessionEvent): void {
  // Without this, other tabs would treat the removal as a log-out.
  if (event === 'expired') store('localStorage', EXPIRED_KEY, '1')
  try {
    localStorage.removeItem(KEY)
  } catch {
    endedToken = getToken()
  }
  tryStorage(() => localStorage.removeItem(EXPIRED_KEY))
  void notify(event)
}

export function onSessionChange(listener: Listener): () => void {
  let expired = false
  // Pages in the back/forward cache get no events, so they compare the token when Back shows them again.
  let left: string | null = null
  const onLeave = (): void => void (left = getToken())
  const onReturn = ({ persisted }: PageTransitionEvent): void => {
    if (persisted && getToken() !== left) void listener('changed')
  }
  const onStorage = ({ key, newValue }: StorageEvent): void => {
    if (key === EXPIRED_KEY) expired = newValue !== null
    // `null` means that the whole storage was cleared.
    if (key === KEY || key === null) void listener(expired ? 'expired' : 'changed')
  }
  const over = new AbortController()
  const { signal } = over
  listeners.add(listener)
  window.addEventListener('storage', onStorage, { signal })
  window.addEventListener('pagehide', onLeave, { signal })
  window.addEventListener('pageshow', onReturn, { signal })
  return () => {
    listeners.delete(listener)
    over.abort()
  }
}

async function notify(event: SessionEvent): Promise<void> {
  await Promise.all([...listeners].map((listener) => listener(event)))
}
