import type { MutationMeta } from '@tanstack/react-query'
import { useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { type Attempt, newAttempt } from '@/lib/api/create-once'
import { useSubmit } from './use-submit'

interface CreateOptions<Output, Created> {
  /** @param attempt for `createOnce` */
  create: (values: Output, attempt: Attempt) => Promise<Created>
  meta: MutationMeta
  onCreated: (created: Created) => void
}

/** Connects a form to a mutation that creates a resource. @returns props for `FormDialog` */
export function useCreate<Values extends FieldValues, Output, Created>(
  form: UseFormReturn<Values, unknown, Output>,
  { create, meta, onCreated }: CreateOptions<Output, Created>,
) {
  const attempt = useRef(newAttempt())
  const { pending, onSubmit } = useSubmit(form, {
    mutationFn: (values) => create(values, attempt.current),
    meta,
    onSuccess: onCreated,
  })
  return { attempt, pending, onSubmit }
}
