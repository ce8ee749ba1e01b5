import type { Tag } from '@/lib/resources'
import { FilterField } from '@/components/list/filter-field'
import { RowPicker } from './picker'

interface FilterLinkedProps {
  label: string
  to: Tag
  value: string | undefined
  onChoose: (id: string | undefined) => void
}

export function FilterLinked({ label, to, value = '', onChoose }: FilterLinkedProps) {
  return (
    <FilterField label={label} isActive={value !== ''} onClear={() => onChoose(undefined)}>
      {({ id }) => (
        <RowPicker
          to={to}
          label={label}
          value={value}
          onChange={(chosen) => onChoose(chosen || undefined)}
          field={{ id }}
          className="chips:w-44"
        />
      )}
    </FilterField>
  )
}
