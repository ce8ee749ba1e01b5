import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** Why the log-in page is shown. */
export interface Arrival {
  reason?: 'signed-up' | 'session-ended'
  /** To log in with. */
  email?: string
  /** The user whose session has ended. */
  userId?: string
  /** The requested page, to offer after log-in. */
  wanted?: { pathname: string; search: object }
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    arrival?: Arrival | undefined
  }
}

type Wanted = NonNullable<Arrival['wanted']>

/** The arrival from a page that needs a log-in; empty for the dashboard, where log-in leads anyway. */
export function arrivalFrom({ pathname, search }: Wanted): Arrival {
  return pathname === '/' ? {} : { wanted: { pathname, search } }
}

/** The arrival from a page whose session has ended. @param user whose session it was, if that is known */
export function arrivalAfterSession(user: { id: string } | undefined, page: Wanted): Arrival {
  return { reason: 'session-ended', ...(user && { userId: user.id }), ...arrivalFrom(page) }
}

/**
 * Reads the arrival in the history entry of the page, once: a reload, or the next user of this machine, does not find it.
 * @param remaining what stays in the entry
 */
export function useArrival(remaining: (arrival: Arrival) => Arrival | undefined = () => undefined): Arrival {
  const router = useRouter()
  const [arrival] = useState(() => router.state.location.state.arrival)
  useEffect(() => {
    if (arrival === undefined) return
    const { href, state } = router.state.location
    router.history.replace(href, { ...state, arrival: remaining(arrival) })
    // Once for each page.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return arrival ?? {}
}
