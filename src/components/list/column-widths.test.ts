import { expect, test } from 'vitest'
import type { Column } from './column'
import { columnWidths, fittingColumns, leastWidth } from './column-widths'

type SizedColumn = Omit<Column<never>, 'cell'>

const box: SizedColumn = { header: '', role: 'box', width: 2.5 }
const title: SizedColumn = { header: 'Title', role: 'title' }
const menu: SizedColumn = { header: 'Actions', role: 'actions', width: 4.5 }
const columns: SizedColumn[] = [
  box,
  { header: 'ID', width: 5 },
  title,
  { header: 'Customer' },
  { header: 'Due At', chars: 19 },
  { header: 'Notes', minWidth: 12 },
  { header: 'Sum', chars: 4 },
  menu,
]

const headers = (width: number) => fittingColumns(columns, width).map(({ header }) => header)

test('columns that do not fit are left out, but never the title and the menus', () => {
  expect(headers(Infinity)).toHaveLength(columns.length)
  expect(headers(leastWidth(columns))).toHaveLength(columns.length)
  // The notes do not fit, but the narrower column after them does.
  expect(headers(56)).toEqual(['', 'ID', 'Title', 'Customer', 'Due At', 'Sum', 'Actions'])
  const long = columns.map((column) => ({ ...column, width: 60 }))
  expect(fittingColumns(long, 56).map(({ header }) => header)).toEqual(['', 'Title', 'Actions'])
})

test('cards have no columns, so none is left out', () => {
  expect(headers(40)).toHaveLength(columns.length)
})

test('a title has 14rem, a text 9, and both share the room that is left in this proportion', () => {
  expect(leastWidth([title])).toBe(14.125)
  expect(leastWidth([box, title, { header: 'Customer' }])).toBe(14.125 + 9 + 2.5)
  const [first, second, third] = columnWidths([title, { header: 'Customer' }, { header: 'Sum', width: 5 }])
  expect(first).toBe(`calc(14rem + max(100cqw - 28.125rem, 0px) * ${14 / 23})`)
  expect([second, third]).toEqual([undefined, '5rem'])
})

test('a column of characters is as wide as these, or as its heading with the arrow', () => {
  const [numbers, named] = columnWidths([
    { header: 'Sum', chars: 10 },
    { header: 'Number of copies', chars: 3 },
  ])
  expect([numbers, named]).toEqual([`${10 * 0.55 + 1.5}rem`, `${8 * 0.55 + 1.5}rem`])
})
