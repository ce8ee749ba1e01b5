import { type ComponentProps, type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react'
import { onDemand } from './on-demand'
import type { MenuContent, OpenMenuProps } from './open-menu'

type MenuProps = MenuContent & Pick<ComponentProps<'button'>, 'aria-label' | 'disabled' | 'className' | 'children'>

/** The menu's own code: for `usePreload`. */
export const openMenu = onDemand<OpenMenuProps>(async () => (await import('./open-menu')).OpenMenu)

const openingKeys = new Set(['Enter', ' ', 'ArrowDown'])

/**
 * A button with a menu. The menu is not there before it is wanted for the first time: a table has fifty of them, and their code
 * is heavier than the table's. The button stays the same element all along.
 */
export function Menu({ entries, top, side, align, menuClassName, ...button }: MenuProps) {
  const id = useId()
  const element = useRef<HTMLButtonElement>(null)
  /** The key that asked for the menu before it was there; `null` is a pointer. */
  const [press, setPress] = useState<string | null | undefined>(undefined)
  const [open, setOpen] = useState(false)
  const isComing = press !== undefined && !openMenu.isThere()

  function toggle(key: string | null): void {
    if (press === undefined) setPress(key)
    else if (openMenu.isThere()) setOpen(key === 'ArrowDown' || !open)
  }

  /** Whoever goes on before it has come does not want it any more. */
  function takeBack(): void {
    if (isComing) setPress(undefined)
  }

  function onPointerDown(event: PointerEvent): void {
    // Browsers tell of a press also where the button is disabled.
    if (button.disabled || event.button !== 0 || event.ctrlKey) return
    // Else the press would go on to take the focus away from the menu.
    if (!open) event.preventDefault()
    toggle(null)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') takeBack()
    if (!openingKeys.has(event.key)) return
    event.preventDefault()
    toggle(event.key)
  }

  return (
    <>
      <button
        {...button}
        ref={element}
        id={id}
        type="button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? `${id}-menu` : undefined}
        aria-busy={isComing || undefined}
        data-state={open ? 'open' : 'closed'}
        onPointerDown={onPointerDown}
        onKeyDown={onKeyDown}
        onBlur={takeBack}
      />
      {press !== undefined && (
        <openMenu.Part
          {...{ entries, top, side, align, menuClassName, id, press, open }}
          button={element}
          onOpenChange={setOpen}
          onFailure={() => setPress(undefined)}
        />
      )}
    </>
  )
}
