import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { MenuEntry, MenuProps } from './menu'
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from './ui/dropdown-menu'

/** The press that asked for the menu. */
export type MenuPress = { type: 'pointerdown' } | { type: 'keydown'; key: string }

export interface OpenMenuProps extends MenuProps {
  press: MenuPress
}

/** The menu and its button, from the first press on. */
export function OpenMenu({ press, entries, top, side, align, menuClassName, ...button }: OpenMenuProps) {
  const trigger = useRef<HTMLButtonElement>(null)
  const isRepeated = useRef(false)
  // The press was made on the button that stood here before: it is made again, so that the menu opens as this kind of press
  // opens it, on its first entry for a key.
  useEffect(() => {
    if (isRepeated.current) return
    isRepeated.current = true
    trigger.current?.dispatchEvent(
      press.type === 'keydown'
        ? new KeyboardEvent('keydown', { key: press.key, bubbles: true, cancelable: true })
        : new PointerEvent('pointerdown', { bubbles: true, cancelable: true }),
    )
  }, [press])
  return (
    <DropdownMenu>
      <DropdownMenuTrigger {...button} ref={trigger} />
      <DropdownMenuContent side={side} align={align} className={menuClassName}>
        {top}
        {entries.map((entry) => (
          <Entry key={entry.label} {...entry} />
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

function Entry({ label, icon: Icon, className, to, onSelect }: MenuEntry) {
  if (to === undefined)
    return (
      <DropdownMenuItem onSelect={onSelect} className={className}>
        <Icon aria-hidden />
        {label}
      </DropdownMenuItem>
    )
  return (
    <DropdownMenuItem asChild className={className}>
      <Link to={to} onClick={onSelect}>
        <Icon aria-hidden />
        {label}
      </Link>
    </DropdownMenuItem>
  )
}
