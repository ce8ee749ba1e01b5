import { useMatches, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Crumb } from '@/features/shell/breadcrumbs'
import { focusComingHeading } from '@/lib/focus-heading'
import { usePageName } from '@/lib/page-name'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Other users are redirected to the dashboard. */
    isForSuperusers?: true
    /** The page's name in the document title. */
    title?: string
    /** The parent page, besides the dashboard. */
    parent?: Crumb
  }
}

/**
 * Sets the document title. When the path changes, it focuses the new page's heading and announces it, but not on first
 * load or when only the search changes.
 */
export function PageAnnouncer() {
  const router = useRouter()
  const routeTitle = useMatches({ select: (matches) => titleOf(matches) })
  const title = usePageName() ?? routeTitle
  const [announced, setAnnounced] = useState('')

  useEffect(() => {
    const appName = import.meta.env.VITE_APP_NAME
    document.title = title === undefined ? appName : `${title} - ${appName}`
  }, [title])

  useEffect(() => {
    let stopWaiting = (): void => undefined
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      if (!fromLocation || !pathChanged) return
      stopWaiting()
      stopWaiting = focusComingHeading()
      setAnnounced(titleOf(router.state.matches) ?? '')
    })
    return () => {
      stopWaiting()
      unsubscribe()
    }
  }, [router])

  return (
    <p aria-live="polite" className="sr-only">
      {announced}
    </p>
  )
}

function titleOf(matches: readonly { staticData: { title?: string } }[]): string | undefined {
  return matches.findLast((match) => match.staticData.title !== undefined)?.staticData.title
}
