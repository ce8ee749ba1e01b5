import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { endsSession } from '@/lib/api/errors'
import { ErrorPanel } from './error-panel'

/** In the place of a route that could not be loaded or drawn. */
export function RouteError({ error }: ErrorComponentProps) {
  const router = useRouter()
  // The session is over, and this page is about to be left.
  if (endsSession(error)) return null
  return (
    <div className="p-4 md:p-8">
      <ErrorPanel error={error} onRetry={() => void router.invalidate()} />
    </div>
  )
}
