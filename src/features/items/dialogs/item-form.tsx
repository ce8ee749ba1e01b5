import type { Control } from 'react-hook-form'
import * as z from 'zod/mini'
import { DescriptionSchema, TitleSchema } from '@/client/schemas.gen'
import type { ItemPublic } from '@/client/types.gen'
import { TextField } from '@/components/form/text-field'
import { toBody } from '@/lib/to-body'
import { optionalText, requiredText } from '@/lib/validation/rules'

/** @param missing the message for an empty first field */
export function itemSchema(missing: string) {
  return z.object({ title: requiredText(missing, TitleSchema), description: optionalText(DescriptionSchema) })
}

type ItemValues = z.infer<ReturnType<typeof itemSchema>>

export const emptyItem = { title: '', description: '' }

export const itemLabels = { title: 'Title', description: 'Description' }

export function toItemValues(item: ItemPublic): ItemValues {
  return { title: item.title, description: item.description ?? '' }
}

/** The body for all or only the changed values. */
export function toItemBody<Values extends Partial<ItemValues>>(values: Values) {
  return toBody(values, { nullable: ['description'] })
}

export function ItemFields({ control }: { control: Control<ItemValues> }) {
  return (
    <>
      <TextField control={control} name="title" label={itemLabels.title} required />
      <TextField control={control} name="description" label={itemLabels.description} multiline />
    </>
  )
}
