import { Link } from '@/components/link'
import { textLink } from '@/components/ui/classes'
import { UserText } from '@/components/ui/user-text'
import { linkToRow } from '@/data/resources'
import type { ResourceTag } from '@/lib/resources'

export function RowLink({ to, id, name }: { to: ResourceTag; id: string; name: string }) {
  return (
    <Link
      {...linkToRow(to, id)}
      className={`${textLink} max-w-full align-middle cards:underline-offset-2 cards:pointer-coarse:-my-2`}
    >
      <UserText show="cell">{name}</UserText>
    </Link>
  )
}
