import { useState } from 'react'
import { letterOf } from '@/lib/keys'
import { readSidebarExpanded, saveSidebarExpanded } from './sidebar-cookie'
import { useKeyDown } from '@/browser/use-key-down'
import { useIsNarrow } from '@/browser/use-media'

/** The sidebar: expanded or collapsed on wide screens (stored in a cookie), an open or closed sheet on narrow ones. */
export function useSidebar() {
  const isNarrow = useIsNarrow()
  const [expanded, setExpanded] = useState(readSidebarExpanded)
  /** Not set until the sheet is opened. While it is closed again, it may still be animating. */
  const [sheet, setSheet] = useState<'open' | 'closed'>()
  const sheetOpen = sheet === 'open'

  if (!isNarrow && sheetOpen) setSheet('closed')

  function toggle(): void {
    if (isNarrow) return setSheet(sheetOpen ? 'closed' : 'open')
    setExpanded(!expanded)
    saveSidebarExpanded(!expanded)
  }

  function closeSheet(): void {
    setSheet(sheet && 'closed')
  }

  useKeyDown((event) => {
    if (letterOf(event) !== 'b' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    // The sheet must not open over another dialog.
    const isCovered = isNarrow && !sheetOpen && document.querySelector('[role=dialog]') !== null
    if (!event.repeat && !isCovered) toggle()
  })

  return { isNarrow, expanded, sheet, isOpen: isNarrow ? sheetOpen : expanded, toggle, closeSheet }
}
