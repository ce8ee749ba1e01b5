import type { LinkProps } from '@tanstack/react-router'
import { Link } from '@/components/link'
import { NotAvailable } from '@/components/list/data-table'
import { textLink } from '@/components/ui/classes'
import { UserText } from '@/components/ui/user-text'

interface RowLinkProps {
  to: NonNullable<LinkProps['to']>
  id: string | null
  /** Null if the reader may not see the row. */
  name: string | null
}

/** The name of a linked row, which leads there. */
export function RowLink({ to, id, name }: RowLinkProps) {
  if (id === null || name === null) return <NotAvailable />
  return (
    <Link to={to} search={{ edit: id } as never} className={`${textLink} cards:underline-offset-2`}>
      <UserText show="two lines">{name}</UserText>
    </Link>
  )
}
