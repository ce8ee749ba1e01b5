import { type Control, type FieldValues, useFormState, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { Button } from '../ui/button'

/** When a form may be submitted. */
export type SaveRule = 'valid' | 'changed' | 'valid and changed'

interface SaveButtonProps<Values extends FieldValues, Output> {
  control: Control<Values, unknown, Output>
  schema: z.ZodMiniType<unknown, Values>
  rule: SaveRule
  label?: string | undefined
  pending: boolean
  /** A conflict must be resolved first. */
  blocked?: boolean
}

/**
 * Renders on every key. `isValid` would only change on blur, and a disabled button ignores the press that causes it.
 */
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
