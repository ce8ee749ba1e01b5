import type { FieldValues } from 'react-hook-form'
import type { FieldProps } from '@/components/form/field'
import { NativeField } from '@/kinds/native-field'

export function DateField<Values extends FieldValues>(props: FieldProps<Values>) {
  return <NativeField {...props} type="date" />
}
