import * as Primitive from '@radix-ui/react-dropdown-menu'
import { Link, type LinkProps } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import {
  type ComponentProps,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

interface MenuEntry {
  label: string
  icon: LucideIcon
  className?: string
  /** The chosen one of several. */
  isCurrent?: boolean
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

export interface RadixMenuProps extends MenuContent {
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
  const reportReady = useEffectEvent(onReady)
  const reportOpen = useEffectEvent(() => onOpen?.())
  // Before the paint, so that there is always exactly one button.
  useLayoutEffect(() => reportReady(), [])
  useEffect(() => {
    if (open) reportOpen()
  }, [open])
  return (
    <Primitive.Root
      // A click on the page closes the menu and takes effect.
      modal={false}
      open={open}
      onOpenChange={(next) => {
        setFirstOpening(false)
        setOpen(next)
      }}
    >
      <Primitive.Trigger {...button} ref={trigger} />
      <Primitive.Portal>
        <Primitive.Content
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            // The chosen entry may have moved the focus.
            if (document.activeElement !== document.body) event.preventDefault()
          }}
          className={clsx(
            'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-40 overflow-y-auto',
            'origin-(--radix-dropdown-menu-content-transform-origin) animate-menu-in rounded-lg border bg-background p-1 shadow-lg',
            menuClassName,
          )}
        >
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
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

interface EntryProps extends MenuEntry {
  hasFocus: boolean
  onSelect: () => void
}

function Entry({ label, icon: Icon, className, isCurrent, to, hasFocus, onSelect }: EntryProps) {
  const content = (
    <>
      <Icon aria-hidden />
      {label}
    </>
  )
  return (
    <Primitive.Item
      ref={hasFocus ? (item: HTMLElement | null) => item?.focus({ preventScroll: true }) : undefined}
      asChild={to !== undefined}
      aria-current={isCurrent || undefined}
      onSelect={onSelect}
      className={clsx(
        'flex min-h-8 cursor-default items-center gap-2 rounded-md px-2 outline-none select-none pointer-coarse:min-h-11',
        'data-highlighted:bg-muted [&_svg]:size-4 [&_svg]:text-muted-foreground',
        className,
      )}
    >
      {to === undefined ? content : <Link to={to}>{content}</Link>}
    </Primitive.Item>
  )
}
