import { Link, type LinkProps } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from './ui/dropdown-menu'

interface MenuEntry {
  label: string
  icon: LucideIcon
  className?: string
  /** For an entry that is a link. */
  to?: NonNullable<LinkProps['to']>
  /** @param button of the menu */
  onSelect?: (button: HTMLElement) => void
}

export interface MenuContent {
  entries: readonly MenuEntry[]
  /** Above the entries. */
  top?: ReactNode
  side?: 'top' | 'bottom' | undefined
  align: 'start' | 'end'
  menuClassName?: string | undefined
  onOpen?: (() => void) | undefined
}

interface RadixMenuProps extends MenuContent {
  button: ComponentProps<'button'>
  /** How the replaced button was pressed. */
  openedBy: 'pointer' | 'key'
  onReady: () => void
}

/** Radix's menu with its own button, initially open. */
export function RadixMenu(props: RadixMenuProps) {
  const { button, openedBy, onReady, entries, top, side, align, menuClassName, onOpen } = props
  const [open, setOpen] = useState(true)
  const [isFirstOpening, setFirstOpening] = useState(true)
  const trigger = useRef<HTMLButtonElement>(null)
  // Before the paint, so that there is always exactly one button.
  useLayoutEffect(onReady, [onReady])
  useEffect(() => {
    if (open) onOpen?.()
  }, [open, onOpen])
  return (
    <DropdownMenu
      open={open}
      onOpenChange={(next) => {
        setFirstOpening(false)
        setOpen(next)
      }}
    >
      <DropdownMenuTrigger {...button} ref={trigger} />
      <DropdownMenuContent side={side} align={align} className={menuClassName}>
        {top}
        {entries.map((entry, index) => (
          <Entry
            key={entry.label}
            {...entry}
            // Radix did not receive the key that opened the menu.
            hasFocus={index === 0 && isFirstOpening && openedBy === 'key'}
            onSelect={() => trigger.current && entry.onSelect?.(trigger.current)}
          />
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

function Entry({
  label,
  icon: Icon,
  className,
  to,
  hasFocus,
  onSelect,
}: MenuEntry & { hasFocus: boolean; onSelect: () => void }) {
  const ref = hasFocus ? (item: HTMLElement | null) => item?.focus({ preventScroll: true }) : undefined
  if (to === undefined)
    return (
      <DropdownMenuItem ref={ref} onSelect={onSelect} className={className}>
        <Icon aria-hidden />
        {label}
      </DropdownMenuItem>
    )
  return (
    <DropdownMenuItem ref={ref} asChild className={className}>
      <Link to={to} onClick={onSelect}>
        <Icon aria-hidden />
        {label}
      </Link>
    </DropdownMenuItem>
  )
}
