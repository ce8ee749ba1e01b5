import type { ReactNode } from 'react'
import type { SizedColumn } from './column-widths'

export interface Column<Row> extends SizedColumn {
  /** A table shows a dash for null, false and empty text; a card shows nothing. */
  cell: (row: Row) => ReactNode
  /** The `title` contains the row's name and is the first line of a card; `actions` contains the row's menu. */
  role?: 'title' | 'actions'
  /** The kind of content, if it is not text. Numbers are aligned at the end; a choice follows the title of a card. */
  kind?: 'number' | 'time' | 'flag' | 'choice'
  picture?: (row: Row) => ReactNode
  /** The place on a card (see src/index.css). Without an area, the cell is listed below the title. */
  area?: 'title-end' | 'title-end-long' | 'second' | 'second-end' | 'third' | 'third-end' | 'details'
  /** Whether cards show the heading, too, because the content alone is unclear. */
  isNamed?: boolean | ((row: Row) => boolean)
  isExtra?: true
  sort?: string
}
