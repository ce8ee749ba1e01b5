import type { ReactNode } from 'react'
import type { SizedColumn } from './column-widths'

/** A column of a table, and a part of its cards. */
export interface Column<Row> extends SizedColumn {
  /** Null, false and empty text are a dash in a table, and nothing on a card. */
  cell: (row: Row) => ReactNode
  /** `title` contains the row's name, in the first line of a card. `actions` contains its menu. */
  role?: 'title' | 'actions'
  /** What it shows, if not texts. Numbers end below each other, and a choice is at the end of the title of a card. */
  kind?: 'number' | 'time' | 'flag' | 'choice'
  /** Shown before the title; on a card, beside all lines. */
  picture?: (row: Row) => ReactNode
  /** The area on a card, see src/index.css. Without one, it is one of the facts below the title. */
  area?: 'title-end' | 'title-end-long' | 'second' | 'second-end' | 'third' | 'third-end' | 'details'
  /** Cards show the heading, too, because cells are unclear without it. */
  isNamed?: boolean | ((row: Row) => boolean)
  /** It is shown only if somebody chooses it. */
  isExtra?: true
  /** The field that its heading sorts by. */
  sort?: string
}
