import { type FieldValues, useWatch } from 'react-hook-form'
import { fromLocalText, toLocalText, zoneText } from '@/lib/time-text'
import type { FieldProps } from '@/components/form/field'
import { NativeField } from '@/kinds/native-field'

/** Shows a time in the browser's time zone. The form's value is in UTC, as in the contract. */
export function TimeField<Values extends FieldValues>(props: FieldProps<Values>) {
  const value = String(useWatch({ control: props.control, name: props.name }))
  return (
    <NativeField
      {...props}
      type="datetime-local"
      toValue={(text, before) => fromLocalText(text, before) ?? text}
      toText={(time) => (Number.isNaN(Date.parse(time)) ? '' : toLocalText(time))}
      footnote={<p className="pb-2 text-muted-foreground">{`Time zone: ${zoneText(value)}`}</p>}
    />
  )
}
