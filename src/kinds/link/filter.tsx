import { useRowName } from './use-row'
import type { Tag } from '@/data/resources'
import { UserText } from '@/components/ui/user-text'
import { FilterNote } from '@/components/list/filter-note'
import type { Filters } from '@/components/list/use-filters'

interface FilterLinkedProps {
  filters: Pick<Filters<never>, 'searchBox'>
  label: string
  to: Tag
  /** Of the linked row. */
  id: string | undefined
  onClear: () => void
}

/** A filter by a linked row. */
export function FilterLinked({ id, ...props }: FilterLinkedProps) {
  return id === undefined ? null : <Note {...props} id={id} />
}

function Note({ filters, label, to, id, onClear }: FilterLinkedProps & { id: string }) {
  const name = useRowName(to, id)
  return (
    <FilterNote filters={filters} clear={`Show all, whatever the ${label.toLowerCase()}`} onClear={onClear}>
      <span>{`${label}: `}</span>
      <UserText>{name ?? (name === null ? 'not available' : '…')}</UserText>
    </FilterNote>
  )
}
