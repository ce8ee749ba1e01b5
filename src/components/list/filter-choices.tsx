import { Check, ChevronDown } from 'lucide-react'
import { choiceText } from '@/lib/text'
import { Menu } from '../menu'
import { controlHeight, fieldClass } from '../ui/classes'
import { FilterField } from './filter-field'

interface FilterChoicesProps {
  label: string
  /** The chosen values, separated by commas. */
  value: string | undefined
  values: readonly string[]
  onChoose: (value: string | undefined) => void
}

/** A chip shows the number of further values. */
const MAX_NAMED = 2

export function FilterChoices({ label, value, values, onChoose }: FilterChoicesProps) {
  const chosen = value?.split(',') ?? []
  const [first = '', ...others] = chosen.map(choiceText)
  const text = chosen.length > MAX_NAMED ? `${first} +${others.length}` : [first, ...others].join(', ')
  const toggle = (one: string) =>
    onChoose(values.filter((other) => chosen.includes(other) !== (other === one)).join(',') || undefined)
  return (
    <FilterField label={label} isActive={chosen.length > 0} chosen={text} onClear={() => onChoose(undefined)}>
      {({ id }) => (
        <Menu
          id={id}
          aria-label={`${label}: ${text || 'Any'}`}
          className={`${fieldClass} ${controlHeight} flex items-center justify-between gap-2 text-left shadow-xs chips:absolute chips:inset-x-0 chips:-top-px chips:opacity-0`}
          align="start"
          entries={values.map((one) => ({
            label: choiceText(one),
            icon: Check,
            isChecked: chosen.includes(one),
            onSelect: () => toggle(one),
          }))}
        >
          <span className="truncate chips:hidden">{text || 'Any'}</span>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-muted-foreground" />
        </Menu>
      )}
    </FilterField>
  )
}
