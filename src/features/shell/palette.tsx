import { Search } from 'lucide-react'
import { useSelector } from '@tanstack/react-store'
import { useEffect, useState } from 'react'
import { useKeyDown } from '@/browser/use-key-down'
import { lazyPart } from '@/components/lazy'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { Tooltip } from '@/components/ui/tooltip'
import { isTyping, letterOf } from '@/lib/keys'
import { commandKey, paletteRequest } from './palette-control'

const PaletteDialogs = lazyPart(async () => (await import('./dialogs/palette-dialog')).PaletteDialogs)

const close = (): void => paletteRequest.set(null)

const isCovered = () => document.querySelector('[role=dialog], [role=menu]') !== null

/** Opens the command palette or the list of keyboard shortcuts, by a button in the header or by keys. */
export function Palette() {
  const request = useSelector(paletteRequest)
  // The dialog is still shown during its exit animation.
  const [shown, setShown] = useState({ request, opening: 0 })
  if (request && request !== shown.request) setShown({ request, opening: shown.opening + 1 })

  function open(kind: 'palette' | 'keys'): void {
    // If the palette opens the list of shortcuts, its field disappears, so the first opener stays.
    const { opener } = request ?? { opener: { current: document.activeElement as HTMLElement | null } }
    paletteRequest.set({ kind, opener })
  }
  useEffect(() => close, [])
  /** Skips the exit animation, during which the palette would take focus and keys from the next dialog. */
  function leave(): void {
    const left = paletteRequest.get()
    if (left) left.opener.current = null
    close()
    setShown({ ...shown, request: null })
  }

  useKeyDown((event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, repeat, target } = event
    if (event.defaultPrevented || altKey) return
    if (letterOf(event) === 'k' && (ctrlKey || metaKey) && !shiftKey) {
      // Browsers would focus their address bar.
      event.preventDefault()
      if (repeat) return
      if (request?.kind === 'palette') close()
      else if (!isCovered()) open('palette')
    } else if (key === '?' && !ctrlKey && !metaKey && !isTyping(target) && !isCovered()) {
      event.preventDefault()
      open('keys')
    }
  })

  return (
    <>
      <SearchButton />
      {shown.request && (
        <PaletteDialogs
          key={shown.opening}
          {...shown.request}
          open={request !== null}
          onClose={close}
          onLeave={leave}
          onKeys={() => open('keys')}
          onFailure={close}
        />
      )}
    </>
  )
}

/** Shows the text of `data-text`, which is then not a part of the accessible name. */
const drawnText = "before:content-[attr(data-text)_/_'']"

function SearchButton() {
  const label = 'Search and go to'
  return (
    <Tooltip label={`${label} (${commandKey()}+K)`} className="-mr-2 shrink-0 lg:mr-0 lg:*:[[role=tooltip]]:hidden">
      <Button
        variant="ghost"
        size="icon"
        aria-label={label}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        className="lg:w-55 lg:pointer-coarse:w-55 lg:justify-start lg:border lg:border-input lg:px-2.5 lg:font-normal lg:text-muted-foreground"
        onClick={({ currentTarget }) => paletteRequest.set({ kind: 'palette', opener: { current: currentTarget } })}
      >
        <Search aria-hidden />
        <span aria-hidden className="flex flex-1 items-center justify-between max-lg:hidden">
          <span data-text="Search…" className={drawnText} />
          <Kbd>
            <span data-text={commandKey() === '⌘' ? '⌘K' : 'Ctrl K'} className={drawnText} />
          </Kbd>
        </span>
      </Button>
    </Tooltip>
  )
}
