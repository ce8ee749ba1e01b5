import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { getToken } from '@/lib/session'
import { ErrorPanel } from './error-panel'

/** In the place of a route that could not be loaded or drawn. */
export function RouteError({ error }: ErrorComponentProps) {
  const router = useRouter()
  // The session is over, and this page is about to be left.
  if (getToken() === null) return null
  return (
    <div className="p-4 md:p-8">
      <ErrorPanel error={error} onRetry={() => void router.invalidate()} />
    </div>
  )
}
