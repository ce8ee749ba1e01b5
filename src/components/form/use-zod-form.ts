import { zodResolver } from '@hookform/resolvers/zod'
import { type DefaultValues, type FieldValues, useForm, type UseFormProps, type UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'

/** A form that validates on blur and shows all messages. */
export function useZodForm<Values extends FieldValues, Output>(
  schema: z.ZodMiniType<Output, Values>,
  defaultValues: DefaultValues<Values>,
  more: UseFormProps<Values, unknown, Output> = {},
): UseFormReturn<Values, unknown, Output> {
  return useForm<Values, unknown, Output>({
    resolver: zodResolver(schema),
    mode: 'onBlur',
    criteriaMode: 'all',
    defaultValues,
    ...more,
  })
}

/** A form for the values of a resource. Fields without changes follow them. */
export function useZodFormOf<Values extends FieldValues, Output>(
  schema: z.ZodMiniType<Output, Values>,
  values: Values,
): UseFormReturn<Values, unknown, Output> {
  return useZodForm(schema, values as DefaultValues<Values>, { values, resetOptions: merge })
}

const merge = { keepDirtyValues: true, keepDirty: true, keepErrors: true, keepIsSubmitted: true }

/** Options of `reset`, which adds those above. */
export const afterSave = { ...merge, keepErrors: false, keepIsSubmitted: false }
export const withoutChanges = { ...afterSave, keepDirtyValues: false, keepDirty: false, keepFieldsRef: true }
