import type { DeepPartial, FieldValues, KeepStateOptions } from 'react-hook-form'

/** What sending what is in a form needs of it: the forms of the library have it, and those of `useTextForm`. */
export interface SendableForm<Output> {
  getValues: () => FieldValues
  setFocus(name: string): void
  /** @returns what checks the values and, when nothing is wrong with them, sends them */
  handleSubmit: (send: (values: Output) => Promise<void>) => () => Promise<void>
}

type Kept = Pick<KeepStateOptions, 'keepDirtyValues' | 'keepDirty' | 'keepDefaultValues' | 'keepFieldsRef'>

/** The same of a form that is saved over nothing unseen, or outlives its session. */
export interface FilledForm<Values extends FieldValues, Output> extends SendableForm<Output> {
  /** The default values are what has been seen of what is stored. */
  formState: { defaultValues?: Readonly<DeepPartial<Values>> | undefined }
  getValues: () => Values
  reset: (values: Values, kept?: Kept) => void
}
