import type { LinkProps } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import type { MenuPress, OpenMenuProps } from './open-menu'
import { onDemand } from './on-demand'

export interface MenuEntry {
  label: string
  icon: LucideIcon
  className?: string
  /** Where it leads, for an entry that is a link. */
  to?: NonNullable<LinkProps['to']>
  onSelect?: () => void
}

export interface MenuProps extends Omit<ComponentProps<'button'>, 'onSelect'> {
  entries: readonly MenuEntry[]
  /** Above the entries; says nothing new. */
  top?: ReactNode
  side?: 'top' | 'bottom'
  align: 'start' | 'end'
  menuClassName?: string
}

/** The menu's own code: for `usePreload`. */
export const openMenu = onDemand<OpenMenuProps>(async () => (await import('./open-menu')).OpenMenu)

const openingKeys = ['Enter', ' ', 'ArrowDown']

/**
 * A button with a menu. Until it is pressed for the first time it is only the button: a table has fifty of them, and the
 * menu's code is heavier than the table's.
 */
export function Menu(props: MenuProps) {
  const [press, setPress] = useState<MenuPress | null>(null)
  const { entries: _, top: __, side: ___, align: ____, menuClassName: _____, children, ...button } = props

  function onPointerDown(event: PointerEvent): void {
    if (event.button !== 0 || event.ctrlKey) return
    // Else the press would go on to focus the button, which is about to give way.
    event.preventDefault()
    setPress({ type: 'pointerdown' })
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!openingKeys.includes(event.key)) return
    event.preventDefault()
    setPress({ type: 'keydown', key: event.key })
  }

  return (
    <>
      {(press === null || !openMenu.isThere()) && (
        <button
          {...button}
          type="button"
          aria-haspopup="menu"
          aria-expanded={false}
          aria-busy={press !== null || undefined}
          data-state="closed"
          onPointerDown={onPointerDown}
          onKeyDown={onKeyDown}
        >
          {children}
        </button>
      )}
      {press && <openMenu.Part {...props} press={press} onFailure={() => setPress(null)} />}
    </>
  )
}
