import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** Why the log-in page is shown. */
export interface LogInState {
  reason?: 'signed-up' | 'session-ended' | 'logged-out-here'
  /** Fills the field of the log-in form. */
  email?: string
  /** The user whose session has ended. */
  userId?: string
  /** The requested page, to offer after log-in. */
  returnTo?: { pathname: string; search: object }
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    logInState?: LogInState | undefined
  }
}

type Place = NonNullable<LogInState['returnTo']>

/** The state for a page that needs a log-in. It is empty for the dashboard, which opens after a log-in anyway. */
export function fromPage({ pathname, search }: Place): LogInState {
  return pathname === '/' ? {} : { returnTo: { pathname, search } }
}

/** The state for a page whose session has ended. @param user the user of the session, if known */
export function afterSession(user: { id: string } | undefined, page: Place): LogInState {
  return { reason: 'session-ended', ...(user && { userId: user.id }), ...fromPage(page) }
}

/**
 * Reads the state in the history entry of the page, once: a reload, or the next user of this machine, does not find it.
 * @param remaining what stays in the entry
 */
export function useLogInState(
  remaining: (logInState: LogInState) => LogInState | undefined = () => undefined,
): LogInState {
  const router = useRouter()
  const [logInState] = useState(() => router.state.location.state.logInState)
  useEffect(() => {
    if (logInState === undefined) return
    const { href, state } = router.state.location
    router.history.replace(href, { ...state, logInState: remaining(logInState) })
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return logInState ?? {}
}
