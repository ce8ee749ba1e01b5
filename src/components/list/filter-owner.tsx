import { useOwnerEmail } from '@/data/api/use-owner'
import { UserText } from '../ui/user-text'
import { FilterNote } from './filter-note'
import type { Filters } from './use-filters'

interface FilterOwnerProps {
  /** The rows, such as `Items`. */
  title: string
  filters: Pick<Filters<never>, 'searchBox'>
  /** Of the account. */
  id: string | undefined
  onClear: () => void
}

/** A filter by the account that rows belong to, which its page sets. */
export function FilterOwner({ title, filters, id, onClear }: FilterOwnerProps) {
  const owner = useOwnerEmail(id)
  return (
    id && (
      <FilterNote filters={filters} clear={`Show the ${title.toLowerCase()} of all owners`} onClear={onClear}>
        {`${title} of `}
        <UserText>{owner ?? 'one owner'}</UserText>
      </FilterNote>
    )
  )
}
