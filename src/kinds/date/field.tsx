import type { FieldValues } from 'react-hook-form'
import { FIRST_DAY, LAST_DAY } from '@/lib/day-or-time'
import type { FieldProps } from '@/components/form/field'
import { NativeField } from '@/kinds/native-field'

export function DateField<Values extends FieldValues>(props: FieldProps<Values>) {
  return <NativeField {...props} type="date" min={FIRST_DAY} max={LAST_DAY} toValue={String} toText={String} />
}
