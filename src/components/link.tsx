import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

interface AnchorProps extends ComponentProps<'a'> {
  /** Whether it leads to the page that is shown. `by address`: the router decides, by `activeOptions`. */
  current?: boolean | 'by address'
  /** From the router, like `aria-current`. */
  disabled?: boolean
}

function Anchor({ current = false, disabled: _, 'aria-current': isActive, children, ...props }: AnchorProps) {
  const isCurrent = current === 'by address' ? isActive !== undefined : current
  return (
    <a {...props} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  )
}

/**
 * The router's link. That would call itself current wherever its address is a part of the shown one, such as a link
 * without parameters on every page of a list. This one does so only if it is told.
 */
export const Link = createLink(Anchor)
