import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { isChanged } from '@/lib/editors'

type Form<Values extends FieldValues, Output> = UseFormReturn<Values, unknown, Output>

/** The default values of the form, which are the stored values that the user has seen. */
export function defaultsOf<Values extends FieldValues, Output>(form: Form<Values, Output>): Values {
  return form.formState.defaultValues as Values
}

/** Whether the form has changes. Reads it without a subscription. */
export function hasFormChanges<Values extends FieldValues, Output>(form: Form<Values, Output>): boolean {
  return isChanged(form.getValues(), defaultsOf(form))
}

/** Sets new default values. Fields that still equal `untouched` take them. Other text and the caret stay. */
export function updateDefaults<Values extends FieldValues, Output>(
  form: Form<Values, Output>,
  defaults: Values,
  untouched: Values,
  { keepIsSubmitted = true } = {},
): void {
  for (const name of Object.keys(defaults) as Path<Values>[]) {
    const value = form.getValues(name)
    if (value === untouched[name] && value !== defaults[name]) form.setValue(name, defaults[name])
  }
  form.reset(defaults, { keepValues: true, keepFieldsRef: true, keepErrors: keepIsSubmitted, keepIsSubmitted })
}
