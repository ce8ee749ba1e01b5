import { useCallback, useEffect, useState } from 'react'
import { letterOf } from '@/lib/keys'
import { readSidebarExpanded, saveSidebarExpanded } from './sidebar-cookie'
import { useIsNarrow } from '@/browser/use-media'

/** The sidebar: expanded or collapsed on wide screens (stored in a cookie), an open or closed sheet on narrow ones. */
export function useSidebar() {
  const isNarrow = useIsNarrow()
  const [expanded, setExpanded] = useState(readSidebarExpanded)
  const [sheetOpen, setSheetOpen] = useState(false)
  const [sheetWanted, setSheetWanted] = useState(false)

  const setChoice = useCallback((next: boolean) => {
    setExpanded(next)
    saveSidebarExpanded(next)
  }, [])

  if (!isNarrow && sheetOpen) setSheetOpen(false)
  if (sheetOpen && !sheetWanted) setSheetWanted(true)

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (letterOf(event) !== 'b' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      // The sheet must not open over another dialog.
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
    /** Whether the sheet was opened before. It may still be animating. */
    sheetWanted: isNarrow && sheetWanted,
    isOpen: isNarrow ? sheetOpen : expanded,
    toggle: () => (isNarrow ? setSheetOpen(!sheetOpen) : setChoice(!expanded)),
    closeSheet: () => setSheetOpen(false),
  }
}
