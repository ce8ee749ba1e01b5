import { useCallback, useEffect, useState } from 'react'
import { readSidebarExpanded, saveSidebarExpanded } from '@/lib/sidebar-cookie'
import { useIsNarrow } from '@/lib/use-media'

/** The two sidebars: expanded or collapsed where there is room (kept in a cookie), open or not where there is none. */
export function useSidebar() {
  const isNarrow = useIsNarrow()
  const [expanded, setExpanded] = useState(readSidebarExpanded)
  const [sheetOpen, setSheetOpen] = useState(false)
  const [sheetWanted, setSheetWanted] = useState(false)

  const setChoice = useCallback((next: boolean) => {
    setExpanded(next)
    saveSidebarExpanded(next)
  }, [])

  // A sheet that a wider screen took away does not come back by itself.
  if (!isNarrow && sheetOpen) setSheetOpen(false)
  if (sheetOpen && !sheetWanted) setSheetWanted(true)

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== 'b' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      // Over a dialog that is open nothing else opens.
      const isCovered = isNarrow && !sheetOpen && document.querySelector('[role=dialog]') !== null
      if (event.repeat || isCovered) return
      if (isNarrow) setSheetOpen((open) => !open)
      else setChoice(!expanded)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [isNarrow, sheetOpen, expanded, setChoice])

  return {
    isNarrow,
    expanded,
    sheetOpen: isNarrow && sheetOpen,
    /** It was open before, and may still be on its way out. */
    sheetWanted: isNarrow && sheetWanted,
    isOpen: isNarrow ? sheetOpen : expanded,
    toggle: () => (isNarrow ? setSheetOpen(!sheetOpen) : setChoice(!expanded)),
    closeSheet: () => setSheetOpen(false),
    giveUpSheet: () => {
      setSheetOpen(false)
      setSheetWanted(false)
    },
  }
}
