import { type Control, type FieldValues, useFormState, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { Button } from '../ui/button'

/** When a form may be sent; SPEC 5 says which form goes by which rule. */
export type SaveRule = 'valid' | 'changed' | 'valid and changed'

interface SaveButtonProps<Values extends FieldValues, Output> {
  control: Control<Values, unknown, Output>
  schema: z.ZodMiniType<unknown, Values>
  rule: SaveRule
  label?: string | undefined
  pending: boolean
  /** A conflict waits for a choice. */
  blocked?: boolean
}

/** Renders with every key, unlike the fields. `isValid` would wait for the blur, and a disabled button swallows the press. */
export function SaveButton<Values extends FieldValues, Output>({
  control,
  schema,
  rule,
  label = 'Save',
  pending,
  blocked = false,
}: SaveButtonProps<Values, Output>) {
  const values = useWatch({ control })
  const { isDirty } = useFormState({ control })
  const enabled = (rule === 'changed' || z.safeParse(schema, values).success) && (rule === 'valid' || isDirty)
  return (
    <Button type="submit" disabled={blocked || !enabled} pending={pending}>
      {label}
    </Button>
  )
}
