import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import {
  type Control,
  type DefaultValues,
  type FieldValues,
  useForm,
  type UseFormProps,
  type UseFormReturn,
  useFormState,
  useWatch,
} from 'react-hook-form'
import * as z from 'zod/mini'
import { addForm } from '@/data/drafts'
import { Button } from '../ui/button'

export type Form<Values extends FieldValues, Output> = UseFormReturn<Values, unknown, Output>

export function useZodForm<Values extends FieldValues, Output>(
  schema: z.ZodMiniType<Output, Values>,
  defaultValues: DefaultValues<Values>,
  more: UseFormProps<Values, unknown, Output> = {},
): Form<Values, Output> {
  return useForm<Values, unknown, Output>({
    resolver: zodResolver(schema),
    mode: 'onBlur',
    criteriaMode: 'all',
    defaultValues,
    ...more,
  })
}

/** Keeps what was typed. */
export const unlessTyped = { keepDirtyValues: true, keepDirty: true, keepErrors: true, keepIsSubmitted: true }

export const afterSave = { ...unlessTyped, keepErrors: false, keepIsSubmitted: false }
export const withoutChanges = { ...afterSave, keepDirtyValues: false, keepDirty: false, keepFieldsRef: true }

/** The values that the user has changed. Does not subscribe to them. */
export function changesOf<Values extends FieldValues, Output>(form: Form<Values, Output>): FieldValues {
  const { defaultValues } = form.formState
  return Object.fromEntries(Object.entries(form.getValues()).filter(([name, value]) => value !== defaultValues?.[name]))
}

export function hasChanges<Values extends FieldValues, Output>(form: Form<Values, Output>): boolean {
  return Object.keys(changesOf(form)).length > 0
}

/** Asks before a reload discards text of a form without a draft, such as a password. */
export function useAskBeforeReload<Values extends FieldValues, Output>(form: Form<Values, Output>): void {
  useEffect(() => addForm({ changes: () => changesOf(form) }), [form])
}

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
