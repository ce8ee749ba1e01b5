import { choiceText } from '@/lib/choice-text'
import { FilterSelect } from '@/components/list/filter-select'

interface FilterChoiceProps<Value extends string> {
  label: string
  value: Value | undefined
  values: readonly Value[]
  onChoose: (value: Value | undefined) => void
}

/** A filter by the value of a choice. */
export function FilterChoice<Value extends string>({ values, ...props }: FilterChoiceProps<Value>) {
  const options = values.map((value) => [value, choiceText(value)] as const)
  return <FilterSelect<Value> {...props} options={[['', 'Any'], ...options]} />
}
