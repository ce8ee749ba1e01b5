import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

export interface LogInState {
  reason?: 'signed-up' | 'session-ended' | 'logged-out-here'
  email?: string
  userId?: string | undefined
  returnTo?: { pathname: string; search: object } | undefined
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    logInState?: LogInState | undefined
  }
}

type Place = NonNullable<LogInState['returnTo']>

/** Empty for the dashboard, which opens after log-in anyway. */
export function fromPage({ pathname, search }: Place): LogInState {
  return pathname === '/' ? {} : { returnTo: { pathname, search } }
}

export function afterSession(user: { id: string } | undefined, page: Place): LogInState {
  return { reason: 'session-ended', ...(user && { userId: user.id }), ...fromPage(page) }
}

/** Reads the state only once, so that a reload and the next user do not get it. @param remaining the new state */
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
