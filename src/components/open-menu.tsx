import { Link, type LinkProps } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { type ReactNode, type Ref, type RefObject, useEffect, useImperativeHandle, useRef } from 'react'
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from './ui/dropdown-menu'

interface MenuEntry {
  label: string
  icon: LucideIcon
  className?: string
  /** Where it leads, for an entry that is a link. */
  to?: NonNullable<LinkProps['to']>
  onSelect?: () => void
}

/** What is in the menu, and where it stands. */
export interface MenuContent {
  entries: readonly MenuEntry[]
  /** Above the entries; says nothing new. */
  top?: ReactNode
  side?: 'top' | 'bottom' | undefined
  align: 'start' | 'end'
  menuClassName?: string | undefined
}

export interface OpenMenuProps extends MenuContent {
  /** Of the button; the menu has its name from it. */
  id: string
  button: RefObject<HTMLButtonElement | null>
  /** The key that asked for the menu before it was there; `null` is a pointer. */
  press: string | null
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The menu of a button that was there before it. */
export function OpenMenu(props: OpenMenuProps) {
  const { id, button, press, open, onOpenChange, entries, top, side, align, menuClassName } = props
  const isOpened = useRef(false)
  // A key is pressed again: with a key the menu opens on its first entry, and it was not there to see it.
  useEffect(() => {
    if (isOpened.current) return
    isOpened.current = true
    if (press === null) onOpenChange(true)
    else button.current?.dispatchEvent(new KeyboardEvent('keydown', { key: press, bubbles: true, cancelable: true }))
  }, [button, press, onOpenChange])
  return (
    <DropdownMenu open={open} onOpenChange={onOpenChange}>
      <DropdownMenuTrigger asChild>
        <StandIn button={button} />
      </DropdownMenuTrigger>
      <DropdownMenuContent id={`${id}-menu`} aria-labelledby={id} side={side} align={align} className={menuClassName}>
        {top}
        {entries.map((entry) => (
          <Entry key={entry.label} {...entry} />
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

/** Shows the menu the button that it belongs to, and draws nothing. */
function StandIn({
  button,
  ref,
}: {
  button: RefObject<HTMLButtonElement | null>
  ref?: Ref<HTMLButtonElement | null>
}) {
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => button.current)
  return null
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
