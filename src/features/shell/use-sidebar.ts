import { useState } from 'react'
import { letterOf } from '@/lib/keys'
import { readSidebarExpanded, saveSidebarExpanded } from './sidebar-cookie'
import { useKeyDown } from '@/browser/use-key-down'
import { useIsNarrow } from '@/browser/use-media'

/** The sidebar: expanded or collapsed on wide screens (stored in a cookie), an open or closed sheet on narrow ones. */
export function useSidebar() {
  const isNarrow = useIsNarrow()
  const [expanded, setExpanded] = useState(readSidebarExpanded)
  const [sheetOpen, setSheetOpen] = useState(false)
  const [sheetWanted, setSheetWanted] = useState(false)

  if (!isNarrow && sheetOpen) setSheetOpen(false)
  if (sheetOpen && !sheetWanted) setSheetWanted(true)

  function toggle(): void {
    if (isNarrow) return setSheetOpen(!sheetOpen)
    setExpanded(!expanded)
    saveSidebarExpanded(!expanded)
  }

  useKeyDown((event) => {
    if (letterOf(event) !== 'b' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    // The sheet must not open over another dialog.
    const isCovered = isNarrow && !sheetOpen && document.querySelector('[role=dialog]') !== null
    if (!event.repeat && !isCovered) toggle()
  })

  return {
    isNarrow,
    expanded,
    sheetOpen: isNarrow && sheetOpen,
    /** Whether the sheet was opened before. It may still be animating. */
    sheetWanted: isNarrow && sheetWanted,
    isOpen: isNarrow ? sheetOpen : expanded,
    toggle,
    closeSheet: () => setSheetOpen(false),
  }
}
