import { Search } from 'lucide-react'
import { type Ref, useImperativeHandle, useRef, useState } from 'react'
import { useKeyDown } from '@/browser/use-key-down'
import { lazyPart } from '@/components/lazy'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { Tooltip } from '@/components/ui/tooltip'
import { isTyping, letterOf } from '@/lib/keys'
import { commandKey } from './palette-control'

const PaletteDialogs = lazyPart(async () => (await import('./dialogs/palette-dialog')).PaletteDialogs)

type Kind = 'palette' | 'keys'

export interface PaletteHandle {
  showKeys: (opener: HTMLElement) => void
}

const isCovered = () => document.querySelector('[role=dialog], [role=menu]') !== null

/** Opens the command palette or the list of keyboard shortcuts, by a button in the header or by keys. */
export function Palette({ ref }: { ref: Ref<PaletteHandle> }) {
  const [kind, setKind] = useState<Kind | null>(null)
  // The dialog is still shown during its exit animation.
  const [shown, setShown] = useState<{ kind: Kind; opening: number } | null>(null)
  const opener = useRef<HTMLElement>(null)

  function open(next: Kind): void {
    // If the palette opens the list of shortcuts, its field disappears, so the first opener stays.
    if (kind === null) opener.current = document.activeElement as HTMLElement | null
    setKind(next)
    setShown((before) => ({ kind: next, opening: (before?.opening ?? 0) + 1 }))
  }

  useImperativeHandle(ref, () => ({
    showKeys: (from) => {
      open('keys')
      opener.current = from
    },
  }))

  useKeyDown((event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, repeat, target } = event
    if (event.defaultPrevented || altKey) return
    if (letterOf(event) === 'k' && (ctrlKey || metaKey) && !shiftKey) {
      // Browsers would focus their address bar.
      event.preventDefault()
      if (repeat) return
      if (kind === 'palette') setKind(null)
      else if (!isCovered()) open('palette')
    } else if (key === '?' && !ctrlKey && !metaKey && !isTyping(target) && !isCovered()) {
      event.preventDefault()
      open('keys')
    }
  })

  const control = {
    open: kind !== null,
    opener,
    onClose: () => setKind(null),
    // Skips the exit animation, during which the palette would take focus and keys from the next dialog.
    onLeave: () => {
      opener.current = null
      setKind(null)
      setShown(null)
    },
  }
  return (
    <>
      <SearchButton
        onPress={(button) => {
          // Safari does not focus a clicked button.
          button.focus()
          open('palette')
        }}
      />
      {shown && (
        <PaletteDialogs
          key={shown.opening}
          kind={shown.kind}
          onKeys={() => open('keys')}
          onFailure={() => setKind(null)}
          {...control}
        />
      )}
    </>
  )
}

/** Shows the text of `data-text`, which is then not a part of the accessible name. */
const drawnText = "before:content-[attr(data-text)_/_'']"

function SearchButton({ onPress }: { onPress: (button: HTMLElement) => void }) {
  const label = 'Search and go to'
  return (
    <Tooltip label={`${label} (${commandKey()}+K)`} className="-mr-2 shrink-0 lg:mr-0 lg:*:[[role=tooltip]]:hidden">
      <Button
        variant="ghost"
        size="icon"
        aria-label={label}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        className="lg:w-55 lg:justify-start lg:border lg:border-input lg:px-2.5 lg:font-normal lg:text-muted-foreground"
        onClick={({ currentTarget }) => onPress(currentTarget)}
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
