import type { LinkProps } from '@tanstack/react-router'
import { Link } from '@/components/link'
import { textLink } from '@/components/ui/classes'
import { UserText } from '@/components/ui/user-text'

interface RowLinkProps {
  to: NonNullable<LinkProps['to']>
  id: string
  name: string
}

export function RowLink({ to, id, name }: RowLinkProps) {
  return (
    <Link
      to={to}
      search={{ edit: id } as never}
      className={`${textLink} max-w-full align-middle cards:underline-offset-2 cards:pointer-coarse:-my-2`}
    >
      <UserText show="cell">{name}</UserText>
    </Link>
  )
}
