const KEY = 'access_token'

/** The access token of this browser's session. `null` is logged out (SPEC 4). */
export function getToken(): string | null {
  return localStorage.getItem(KEY)
}

type Listener = () => void
const listeners = new Set<Listener>()

export function beginSession(token: string): void {
  localStorage.setItem(KEY, token)
  notify()
}

/** Forgets the token, once however often it is called. */
export function endSession(): void {
  if (getToken() === null) return
  localStorage.removeItem(KEY)
  notify()
}

/** Calls back whenever the session begins or ends, in this tab or in another one. */
export function onSessionChange(listener: Listener): () => void {
  const onStorage = (event: StorageEvent): void => {
    // A null key: the whole storage was cleared.
    if (event.key === KEY || event.key === null) listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}

function notify(): void {
  for (const listener of listeners) listener()
}
