import { type ParsedLocation, useMatches, useRouter } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { focusComingHeading, focusComingRow } from '@/browser/focus-heading'
import { usePageName } from '@/data/page-name'
import type { Screen } from '@/lib/screens'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends Partial<Screen> {
    /** Search parameters that open dialogs. */
    dialogs?: readonly string[]
    /** The icon of a list in the sidebar and the palette. */
    icon?: LucideIcon
  }
}

/** Sets the document title. On a new path, announces the page and focuses its heading, or after Back the same row. */
export function PageAnnouncer() {
  const router = useRouter()
  const { title: routeTitle, isNamedLater = false } = useMatches({
    select: (matches) => matches.findLast(({ staticData }) => staticData.title !== undefined)?.staticData ?? {},
  })
  const name = usePageName()
  const title = name ?? routeTitle
  const [isFirstPage, setFirstPage] = useState(true)

  useEffect(() => {
    const appName = import.meta.env.VITE_APP_NAME
    document.title = title === undefined ? appName : `${title} - ${appName}`
  }, [title])

  useEffect(() => {
    let stopWaiting = (): void => undefined
    /** The row that had the focus when the user left a history entry, by the key of this entry. */
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
        setFirstPage(false)
      }),
    ]
    return () => {
      stopWaiting()
      for (const stop of unsubscribe) stop()
    }
  }, [router])

  return (
    <p aria-live="polite" className="sr-only">
      {!isFirstPage && (isNamedLater ? name : title)}
    </p>
  )
}

const keyOf = ({ state: { __TSR_key: key = '' } }: ParsedLocation): string => key
