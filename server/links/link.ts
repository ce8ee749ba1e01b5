import type { ResourceTable } from '../tables.ts'

/** A field with the id of another row. */
export interface Link {
  to: ResourceTable
  /**
   * What happens to the row when that one is deleted: it refuses the deletion, the field becomes null, or it is deleted,
   * too.
   */
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

/** @param field such as `customer_id` */
export const nameFieldOf = (field: string): string => field.replace(/_id$/, '_name')
