import { useState } from 'react'
import { takeFocus } from '@/browser/focus-heading'
import { lazyPart } from './lazy'
import type { MenuProps } from './radix-menu'
import { buttonClass } from './ui/button'
import { Tooltip } from './ui/tooltip'

const RadixMenu = lazyPart(async () => (await import('./radix-menu')).RadixMenu)

/** Mounts Radix at the first click, because fifty of its menus would add 18 KB and 20 ms to the first paint. */
export function Menu(props: MenuProps) {
  const { entries, top, side, align, menuClassName, onOpen, ...button } = props
  const [openedBy, setOpenedBy] = useState<'pointer' | 'key' | null>(null)
  const [hasFailed, setFailed] = useState(false)
  if (openedBy === null)
    return (
      <button
        {...button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={false}
        data-state="closed"
        ref={hasFailed ? takeFocus : undefined}
        // `detail` is 0 for clicks by keyboard.
        onClick={({ detail }) => setOpenedBy(detail === 0 ? 'key' : 'pointer')}
        onKeyDown={({ key }) => key === 'ArrowDown' && setOpenedBy('key')}
      />
    )
  return (
    <RadixMenu
      {...props}
      openedBy={openedBy}
      fallback={<button {...button} type="button" aria-haspopup="menu" aria-expanded={false} aria-busy />}
      onFailure={() => {
        setFailed(true)
        setOpenedBy(null)
      }}
    />
  )
}

interface IconMenuProps extends Pick<MenuProps, 'disabled' | 'className' | 'entries' | 'onOpen' | 'children'> {
  label: string
  tip?: string
  /** Why the menu is disabled. It replaces the tip. */
  title?: string | undefined
  variant?: 'ghost' | 'secondary'
}

/** Lucide's three dots with half as many elements, because a page has fifty of them. */
const dots = (
  <svg aria-hidden viewBox="0 0 24 24" className="stroke-current stroke-4 [stroke-linecap:round]">
    <path d="M5 12h.01M12 12h.01M19 12h.01" />
  </svg>
)

export function IconMenu(props: IconMenuProps) {
  const { label, tip = label, title, variant = 'ghost', className, children, ...menu } = props
  return (
    <Tooltip label={title === undefined ? tip : undefined} className={className}>
      <Menu
        aria-label={label}
        title={title}
        className={buttonClass(variant, 'icon', variant === 'secondary' ? 'size-9' : undefined)}
        align="end"
        {...menu}
      >
        {children || dots}
      </Menu>
    </Tooltip>
  )
}
