import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { CodeError, isOfSession } from '@/lib/api/errors'
import { reloadWhereOutdated } from '@/lib/reload-outdated'
import { getToken } from '@/lib/session'
import { ErrorPanel } from './error-panel'

/** Replaces a route that failed to load or render. */
export function RouteError({ error }: ErrorComponentProps) {
  const router = useRouter()
  useEffect(() => {
    if (error instanceof CodeError) void reloadWhereOutdated(error)
  }, [error])
  // The session has ended, and the page is about to change.
  if (getToken() === null && isOfSession(error)) return null
  return (
    <div className="mx-auto max-w-[94rem] p-4 in-[main]:p-0 md:p-8">
      <ErrorPanel error={error} onRetry={() => void router.invalidate()} />
    </div>
  )
}
