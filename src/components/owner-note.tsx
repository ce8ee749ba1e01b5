import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCurrentUser } from '@/lib/api/current-user'
import { editTime } from '@/lib/api/entity-tag'
import { ownerOptions } from '@/lib/api/owner'
import { textLink } from './text-link'
import { TimeAgo } from './time-ago'
import { UserText } from './ui/user-text'

interface OwnerNoteProps {
  row: { owner_id: string; created_at: string }
}

/** When a row was created and changed last, and for superusers whose it is. */
export function OwnerNote({ row }: OwnerNoteProps) {
  const { owner_id, created_at } = row
  const { is_superuser } = useCurrentUser()
  const edited = editTime(row)
  // It has no milliseconds.
  const isEdited = edited !== undefined && Date.parse(edited) > Date.parse(created_at)
  return (
    <p className="pb-4 text-xs text-muted-foreground">
      Created <TimeAgo time={created_at} />
      {isEdited && (
        <>
          , edited <TimeAgo time={edited} />
        </>
      )}
      {is_superuser && <Owner id={owner_id} />}
    </p>
  )
}

function Owner({ id }: { id: string }) {
  const { data: owner } = useQuery(ownerOptions(id))
  return (
    owner && (
      <>
        {', belongs to '}
        <Link to="/users/$userId" params={{ userId: id }} className={textLink}>
          <UserText>{owner.email}</UserText>
        </Link>
      </>
    )
  )
}
