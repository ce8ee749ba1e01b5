import { Search } from 'lucide-react'
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { lazyPart } from '@/components/lazy'
import { IconButton } from '@/components/ui/icon-button'
import { isTyping, letterOf } from '@/lib/keys'
import { commandKey } from './palette-control'

const PaletteDialogs = lazyPart(async () => (await import('./dialogs/palette-dialog')).PaletteDialogs)

type Kind = 'palette' | 'keys'

const isCovered = () => document.querySelector('[role=dialog], [role=menu]') !== null

/** The button, Ctrl+K and `?`, which open the palette and the list of keys. Their code loads then. */
export function Palette() {
  const [kind, setKind] = useState<Kind | null>(null)
  // Still shown during its exit animation.
  const [shown, setShown] = useState<{ kind: Kind; opening: number } | null>(null)
  const opener = useRef<HTMLElement>(null)

  function open(next: Kind): void {
    // The list of keys takes it over from the palette, whose field disappears.
    if (kind === null) opener.current = document.activeElement as HTMLElement | null
    setKind(next)
    setShown((before) => ({ kind: next, opening: (before?.opening ?? 0) + 1 }))
  }

  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
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
  // Before the paint, so that a key that follows what is seen is not lost.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => onKeyDown(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])

  const control = {
    open: kind !== null,
    opener,
    onClose: () => setKind(null),
    // Without an exit animation, during which the new dialog would lose its focus and its keys.
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
          // Safari does not focus a pressed button.
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

function SearchButton({ onPress }: { onPress: (button: HTMLElement) => void }) {
  return (
    <IconButton
      label="Search and go to"
      keys={`${commandKey()}+K`}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      className="-mr-2 shrink-0"
      onClick={({ currentTarget }) => onPress(currentTarget)}
    >
      <Search aria-hidden />
    </IconButton>
  )
}
