import { createMemoryHistory, RouterContextProvider } from '@tanstack/react-router'
import { act, cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Column } from '@/components/list/column'
import { DataTable } from '@/components/list/data-table'
import { useShownColumns } from '@/components/list/shown-columns'
import { createQueryClient } from '@/data/api/query-client'
import { createAppRouter } from '@/router'
import { type Backend, makeUser } from '../../support/backend'
import { listLoaded, renderApp } from '../../support/render-app'
import { anyResource, makeRow } from '../../support/samples'

interface Row {
  id: string
  title: string
  state: string
  notes: string | null
  price: number | null
}

const columns: readonly Column<Row>[] = [
  { header: 'ID', area: 'title-end', width: 5, cell: ({ id }) => id },
  { header: 'Title', role: 'title', cell: ({ title }) => <b>{title}</b> },
  { header: 'State', kind: 'choice', chars: 8, cell: ({ state }) => state },
  { header: 'Notes', isNamed: true, cell: ({ notes }) => notes },
  { header: 'Price', isNamed: true, kind: 'number', chars: 8, cell: ({ price }) => price },
  { header: 'Place', isNamed: true, cell: () => 'Shelf' },
  { header: 'Weight', isNamed: true, cell: () => 'Heavy' },
  { header: 'Phone', isNamed: true, isExtra: true, cell: () => '123' },
  { header: 'Actions', role: 'actions', width: 4.5, cell: () => 'Menu' },
]
const row: Row = { id: '1', title: 'Plan', state: 'Open', notes: null, price: 0 }

function List() {
  const [shown] = useShownColumns('rows', columns)
  return <DataTable label="Rows" columns={shown} rows={[row]} />
}

const renderList = () =>
  render(
    <RouterContextProvider router={createAppRouter(createQueryClient(), createMemoryHistory())}>
      <List />
    </RouterContextProvider>,
  )

/** Gives lists a width, which jsdom does not compute. @returns a function that changes it, in rem */
function giveWidth(rem: number): (rem: number) => void {
  let width = rem
  const measure: (() => void)[] = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(measured: () => void) {
        measure.push(measured)
      }
      observe = () => measure.forEach((measured) => measured())
      disconnect() {}
    },
  )
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(() => width * 16)
  document.documentElement.style.fontSize = '16px'
  return (next) => {
    width = next
    act(() => measure.forEach((measured) => measured()))
  }
}

afterEach(() => {
  document.documentElement.style.fontSize = ''
})

const headings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
const cellOf = (header: string) => {
  const found = document.querySelector<HTMLElement>(`td[data-label="${header}"]`)
  if (!found) throw new Error(`No cell of ${header}`)
  return found
}

test('a table has the columns that fit, and more when it becomes wider', () => {
  const setWidth = giveWidth(57)
  renderList()
  expect(headings()).toEqual(['ID', 'Title', 'State', 'Notes', 'Price', 'Place', 'Actions'])
  setWidth(70)
  expect(headings()).toEqual(['ID', 'Title', 'State', 'Notes', 'Price', 'Place', 'Weight', 'Actions'])
})

test('chosen columns scroll, but those up to the title and the menus are sticky', () => {
  localStorage.setItem('columns:rows', columns.map(({ header }) => header).join('\n'))
  giveWidth(57)
  renderList()
  expect(headings()).toContain('Phone')
  const stay = columns.map(({ header }) => header).filter((header) => cellOf(header).className.includes('sticky'))
  expect(stay).toEqual(['ID', 'Title', 'Actions'])
})

test('no column is sticky in a table that fits', () => {
  giveWidth(100)
  renderList()
  expect(document.querySelectorAll('td[class*=sticky]')).toHaveLength(0)
})

test('a card has a choice beside its title, and three facts that are not empty', () => {
  giveWidth(30)
  renderList()
  const onCard = columns
    .filter(({ isExtra }) => !isExtra)
    .map(({ header }) => header)
    .filter((header) => !/cards:(hidden|contents)/.test(cellOf(header).className))
  expect(onCard).toEqual(['Title', 'State', 'Price', 'Place', 'Weight', 'Actions'])
  expect(cellOf('State').dataset.area).toBe('title-end')
})

test('a missing value is shown as a dash, but 0 is not', () => {
  renderList()
  expect(cellOf('Notes')).toHaveTextContent('—')
  expect(cellOf('Price')).toHaveTextContent('0')
})

test.each(anyResource)(
  'somebody chooses the columns of $table, which this browser keeps, until what fits is asked for',
  async (sample) => {
    const { table, fields, searched } = sample
    const prepare = {
      url: `/${table}`,
      user: makeUser(),
      prepare: (backend: Backend) => backend.rowsOf(table).push(makeRow(table)),
    }
    const { actor } = await renderApp(prepare)
    await listLoaded()
    await actor.click(screen.getByRole('button', { name: 'Columns' }))
    const entries = await screen.findAllByRole('menuitemcheckbox')
    const others = fields.filter(({ name }) => name !== searched[0])
    expect(entries.map(({ textContent }) => textContent)).toEqual(['ID', ...others.map(({ label }) => label)])
    const [entry] = screen.getAllByRole('menuitemcheckbox', { checked: true }).toReversed()
    if (!entry) throw new Error('No column is shown')
    const header = entry.textContent
    const names = () => within(screen.getByRole('table', { hidden: true })).queryByText(header)
    expect(names()).toBeInTheDocument()
    await actor.click(entry)
    expect(entry).not.toBeChecked()
    expect(names()).not.toBeInTheDocument()
    cleanup()

    const again = await renderApp(prepare)
    await listLoaded()
    expect(names()).not.toBeInTheDocument()
    await again.actor.click(screen.getByRole('button', { name: 'Columns' }))
    await again.actor.click(await screen.findByRole('menuitem', { name: 'Show what fits' }))
    expect(names()).toBeInTheDocument()
  },
)
