import { useEffect } from 'react'
import type { FieldValues } from 'react-hook-form'
import { finishRestoring, onRestore, registerForm } from '@/lib/drafts'
import type { FilledForm } from './any-form'

/**
 * What is typed into this form outlives a session that ends in the middle (lib/drafts.ts).
 * @param name tells forms apart
 * @param live whether it can be seen: what was cancelled is given up
 */
export function useKeptForm<Values extends FieldValues, Output>(
  form: FilledForm<Values, Output>,
  name: string,
  live = true,
): void {
  useEffect(() => {
    if (!live) return
    return registerForm({
      name,
      isDirty: () => JSON.stringify(form.getValues()) !== JSON.stringify(form.formState.defaultValues),
      values: form.getValues,
      defaults: () => form.formState.defaultValues ?? {},
    })
  }, [form, name, live])
  useEffect(
    () =>
      onRestore((draft) => {
        if (draft.form !== name) return
        // What was changed elsewhere since is still to be noticed when this is saved.
        form.reset({ ...form.getValues(), ...draft.defaults })
        form.reset({ ...form.getValues(), ...draft.values }, { keepDefaultValues: true })
        finishRestoring()
      }),
    [form, name],
  )
}
