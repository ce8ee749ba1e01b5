import { useMatches, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { appName } from '@/lib/app-name'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page's name in the document title. */
    title?: string
  }
}

/**
 * Titles the document after the page. When the path changes it moves the focus to the new page's heading and says its
 * name, so that keyboard and screen reader go on from there; not on first load, nor where only the search changed.
 */
export function PageAnnouncer() {
  const router = useRouter()
  const title = useMatches({ select: (matches) => titleOf(matches) })
  const [announced, setAnnounced] = useState('')

  useEffect(() => {
    document.title = title === undefined ? appName : `${title} - ${appName}`
  }, [title])

  useEffect(() => {
    let stopWaiting = (): void => undefined
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      if (!fromLocation || !pathChanged) return
      stopWaiting()
      stopWaiting = focusHeading()
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

/**
 * Moves the focus to the heading, now or as soon as there is one: a list has none before it is read. A key or a press before
 * then means that the person has gone on; a focus that moves by itself, as a closing menu's does, does not.
 * @returns how to give up waiting
 */
function focusHeading(): () => void {
  if (focusHeadingNow()) return () => undefined
  const observer = new MutationObserver(() => {
    if (focusHeadingNow()) stop()
  })
  const stop = (): void => {
    observer.disconnect()
    for (const input of ['keydown', 'pointerdown']) removeEventListener(input, stop, { capture: true })
  }
  observer.observe(document.body, { childList: true, subtree: true })
  for (const input of ['keydown', 'pointerdown']) addEventListener(input, stop, { capture: true })
  return stop
}

function focusHeadingNow(): boolean {
  const heading = document.querySelector('h1')
  heading?.focus({ preventScroll: true })
  return heading !== null
}

function titleOf(matches: readonly { staticData: { title?: string } }[]): string | undefined {
  return matches.findLast((match) => match.staticData.title !== undefined)?.staticData.title
}
