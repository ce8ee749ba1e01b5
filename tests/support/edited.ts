import type { Backend } from './backend'

export interface Edited {
  subject: string
  /** The toast after a save. */
  saved: string
  url: string
  /** Adds the row to the back end. @returns the row, and the name of its menu if the form opens from a list */
  prepare: (backend: Backend) => { row: { id: string }; menu?: string }
  path: (id: string) => string
  method: 'PUT' | 'PATCH'
  typed: { label: string; key: string; was: string }
  other: { label: string; key: string }
  hasOther?: true
}
