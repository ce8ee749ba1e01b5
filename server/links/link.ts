import type { ResourceTable } from '../tables.ts'

export interface Link {
  to: ResourceTable
  /** What the deletion of the linked row does: it is refused, it clears the field, or it deletes this row, too. */
  onDelete: 'refuse' | 'clear' | 'delete'
}

export type Links = Readonly<Record<string, Link>>

/** Adds a name to each link: `customer_name` to `customer_id`. */
export type Named<Row> = Row & { [Field in keyof Row as NameBeside<Field>]: string | null }

export type NameBeside<Field> = Field extends `${infer Name}_id`
  ? Name extends 'owner'
    ? never
    : `${Name}_name`
  : never

export const nameFieldOf = (field: string): string => field.replace(/_id$/, '_name')
