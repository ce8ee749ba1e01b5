import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Link } from '@/components/link'
import { panelRow } from '@/components/panel'
import { TimeAgo } from '@/components/time-ago'
import { UserText } from '@/components/ui/user-text'

interface RowProps {
  link: LinkProps
  picture?: ReactNode
  title: string
  text: string | null | undefined
  time: string
}

export function Row({ link, picture, title, text, time }: RowProps) {
  return (
    <li>
      <Link {...link} className={panelRow}>
        {picture}
        <span className="min-w-0 flex-1">
          <span className="block font-medium">
            <UserText show="one line">{title}</UserText>
          </span>
          {text && (
            <span className="text-muted-foreground">
              {' '}
              <UserText show="one line">{text}</UserText>
            </span>
          )}
        </span>{' '}
        <span className="shrink-0 text-muted-foreground">
          <TimeAgo time={time} />
        </span>
      </Link>
    </li>
  )
}
