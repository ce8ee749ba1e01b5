import { type Control } from 'react-hook-form'
import * as z from 'zod/mini'
import { TextField } from '@/components/form/text-field'
import { description, title } from '@/lib/validation/rules'

/** @param missingTitle the sentence for an empty title */
export function itemSchema(missingTitle: string) {
  return z.object({ title: title(missingTitle), description: description() })
}

export type ItemValues = z.infer<ReturnType<typeof itemSchema>>

export function ItemFields({ control }: { control: Control<ItemValues> }) {
  return (
    <>
      <TextField control={control} name="title" label="Title" required />
      <TextField control={control} name="description" label="Description" multiline />
    </>
  )
}
