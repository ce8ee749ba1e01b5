import { type Control, type FieldValues, useFormState, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { Button } from '../ui/button'

export type SaveRule = 'valid' | 'changed' | 'valid and changed'

interface SaveButtonProps<Values extends FieldValues, Output> {
  control: Control<Values, unknown, Output>
  schema: z.ZodMiniType<unknown, Values>
  rule: SaveRule
  label?: string | undefined
  pending: boolean
  blocked?: boolean
}

/** Validates on every key. `isValid` changes on blur, which would swallow the first click on the disabled button. */
export function SaveButton<Values extends FieldValues, Output>(props: SaveButtonProps<Values, Output>) {
  const { control, schema, rule, label = 'Save', pending, blocked = false } = props
  const values = useWatch({ control })
  const { isDirty } = useFormState({ control })
  const enabled = (rule === 'changed' || z.safeParse(schema, values).success) && (rule === 'valid' || isDirty)
  return (
    <Button type="submit" disabled={blocked || !enabled} pending={pending}>
      {label}
    </Button>
  )
}
