import { useOwnerEmail } from '@/data/api/use-owner'
import { TextLink } from './link'
import { TimeAgo } from './time'
import { UserText } from './ui/user-text'

export function OwnerNote({ row }: { row: { owner_id: string; created_at: string; edited_at?: string } }) {
  const { owner_id, created_at, edited_at } = row
  const owner = useOwnerEmail(owner_id)
  const isEdited = edited_at !== undefined && Date.parse(edited_at) > Date.parse(created_at)
  return (
    <p className="pb-4 text-xs text-muted-foreground">
      Created <TimeAgo time={created_at} />
      {isEdited && (
        <span>
          , edited <TimeAgo time={edited_at} />
        </span>
      )}
      {owner !== undefined && (
        <span>
          {', belongs to '}
          <TextLink to="/users/$userId" params={{ userId: owner_id }}>
            <UserText>{owner}</UserText>
          </TextLink>
        </span>
      )}
    </p>
  )
}
