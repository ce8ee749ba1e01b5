import { type AnyRouter, type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { CodeLoadError, isOfSession } from '@/data/api/errors'
import { reloadWhereOutdated } from '@/data/reload-outdated'
import { getToken } from '@/data/session'
import { ErrorPanel } from './error-panel'

/** The error of a route. The panel stays until a retry has ended. */
export function RouteError({ error: first, recover }: ErrorComponentProps & { recover?: () => Promise<unknown> }) {
  const router = useRouter()
  const [error, setError] = useState<unknown>(first)
  const [isPending, setPending] = useState(false)
  const retry = async (): Promise<void> => {
    setPending(true)
    try {
      await Promise.all([recover?.(), ...router.state.matches.map(({ routeId }) => preloadPage(router, routeId))])
      await router.invalidate()
    } catch (failure) {
      setError(failure)
    }
    setPending(false)
  }
  useEffect(() => {
    if (error instanceof CodeLoadError) void reloadWhereOutdated(error)
  }, [error])
  // The session has ended, so the login page is about to replace this one.
  if (getToken() === null && isOfSession(error)) return null
  return (
    <div className="mx-auto max-w-[94rem] p-4 in-[main]:p-0">
      <ErrorPanel error={error} pending={isPending} onRetry={() => void retry()} />
    </div>
  )
}

function preloadPage({ routesById }: AnyRouter, id: string): Promise<unknown> | undefined {
  return (routesById[id].options.component as { preload?: () => Promise<unknown> } | undefined)?.preload?.()
}
