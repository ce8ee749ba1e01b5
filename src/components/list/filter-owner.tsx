import { useOwnerEmail } from '@/data/api/use-owner'
import { UserText } from '../ui/user-text'
import { FilterNote } from './filter-note'
import type { Filters } from './use-filters'

interface FilterOwnerProps {
  title: string
  filters: Pick<Filters<never>, 'searchBox'>
  id: string | undefined
  onClear: () => void
}

export function FilterOwner({ title, filters, id, onClear }: FilterOwnerProps) {
  const owner = useOwnerEmail(id)
  return (
    id && (
      <FilterNote filters={filters} clear={`Show the ${title.toLowerCase()} of everyone`} onClear={onClear}>
        {`${title} of `}
        <UserText>{owner ?? 'one owner'}</UserText>
      </FilterNote>
    )
  )
}
