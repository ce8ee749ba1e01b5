import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { textLink } from './ui/classes'

export interface AnchorProps extends ComponentProps<'a'> {
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

/** Only `current` marks a link as current. The router would also mark `/users` on the page `/users/ID`. */
export const Link = createLink(Anchor)

/** A link beside other text. */
export const TextLink = createLink((props: AnchorProps) => <Anchor {...props} className={textLink} />)
