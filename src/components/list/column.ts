import type { ReactNode } from 'react'
import type { NeedsCapability } from '@/data/api/capabilities'

/** All widths are in rem. */
export interface Column<Row, Sort extends string = string> extends NeedsCapability {
  header: string
  /** A table shows a dash for null, false and empty text; a card shows nothing. */
  cell: (row: Row) => ReactNode
  /** The `title` contains the row's name and is the first line of a card; `actions` the row's menu, `box` its checkbox. */
  role?: 'box' | 'title' | 'actions'
  /** Replaces the text of the header. */
  heading?: ReactNode
  /** The maximum number of characters in a cell; these cells never wrap. */
  chars?: number
  width?: number
  /** The minimum width of a column that has neither `chars` nor `width`. It grows into free room. */
  minWidth?: number
  /** The column's share of the free room, relative to other columns. The default is the minimum width. */
  share?: number
  /** The kind of content, if it is not text. Numbers are aligned at the end; a choice follows the title of a card. */
  kind?: 'number' | 'time' | 'flag' | 'choice'
  picture?: (row: Row) => ReactNode
  /** The place on a card (see `TableRow`). Without an area, the cell is listed below the title. */
  area?: 'title-end' | 'title-end-long' | 'second' | 'second-end' | 'third' | 'third-end' | 'details'
  /** Whether cards show the heading, too, because the content alone is unclear. */
  isNamed?: boolean | ((row: Row) => boolean)
  isExtra?: true
  /** Whether the cells already contain a link. Otherwise `openByTitle` makes titles links to their rows. */
  isLink?: true
  sort?: Sort
}
