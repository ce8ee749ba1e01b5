import type { ResourceTable } from '../tables.ts'

export interface Link {
  to: ResourceTable
  /** What the deletion of the linked row does: it is refused, it clears the field, or it deletes this row, too. */
  onDelete: 'refuse' | 'clear' | 'delete'
}

export type Links = Readonly<Record<string, Link>>

/** Rows with the name of each linked row beside its id: `customer_name` beside `customer_id`. */
export type Named<Row> = Row & {
  [
    Field in keyof Row & string as Field extends `${infer Name}_id`
      ? Name extends 'owner'
        ? never
        : `${Name}_name`
      : never
  ]: string | null
}

export const nameFieldOf = (field: string): string => field.replace(/_id$/, '_name')
