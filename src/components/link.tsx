import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

interface AnchorProps extends ComponentProps<'a'> {
  /** Whether the link leads to the current page. With `by address`, the router decides. */
  current?: boolean | 'by address'
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

/** Current only as `current` says. The router would also mark links whose URL is a part of the current one. */
export const Link = createLink(Anchor)
