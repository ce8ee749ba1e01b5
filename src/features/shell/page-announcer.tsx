import { type ParsedLocation, useMatches, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { focusComingHeading, focusComingRow } from '@/lib/focus-heading'
import { usePageName } from '@/data/page-name'
import type { Screen } from '@/lib/screens'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends Partial<Screen> {
    /** Search parameters that open dialogs. */
    dialogs?: readonly string[]
  }
}

/**
 * Sets the document title. When the path changes, it announces the new page and focuses its heading, or after Back the
 * row that was opened; not on first load or when only the search changes.
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
    /** The row that had the focus when a history entry was left. */
    const rows = new Map<string, string>()
    const unsubscribe = [
      router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
        const row = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row
        if (pathChanged && fromLocation && row) rows.set(keyOf(fromLocation), row)
      }),
      router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return
        stopWaiting()
        const row = rows.get(keyOf(toLocation))
        stopWaiting = row === undefined ? focusComingHeading() : focusComingRow(row)
        setAnnounced(titleOf(router.state.matches) ?? '')
      }),
    ]
    return () => {
      stopWaiting()
      for (const stop of unsubscribe) stop()
    }
  }, [router])

  return (
    <p aria-live="polite" className="sr-only">
      {announced}
    </p>
  )
}

/** Of a history entry. */
function keyOf({ state: { __TSR_key: key = '' } }: ParsedLocation): string {
  return key
}

function titleOf(matches: readonly { staticData: { title?: string } }[]): string | undefined {
  return matches.findLast((match) => match.staticData.title !== undefined)?.staticData.title
}
