import { useState } from 'react'
import { BarChart } from '@/components/charts/bar-chart'
import type { Column } from '@/components/list/column'
import { DataTable } from '@/components/list/data-table'
import { FilterField } from '@/components/list/filter-field'
import { FilterSelect, type Option } from '@/components/list/filter-select'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { DatePicker } from '@/components/ui/date-picker'
import { countText } from '@/lib/text'
import { FieldsExample } from './fields-example'

interface Order {
  id: string
  customer: string
  state: keyof typeof states
  day: string
}

const states = { open: 'Open', sent: 'Sent', paid: 'Paid' }

const options: readonly Option[] = [['', 'Any'], ...Object.entries(states)]

const orders: readonly Order[] = [
  { id: '1', customer: 'Ada Lovelace', state: 'open', day: '2026-11-03' },
  { id: '2', customer: 'Grace Hopper', state: 'sent', day: '2026-11-12' },
  { id: '3', customer: 'Alan Turing', state: 'paid', day: '2026-11-21' },
]

const columns: readonly Column<Order>[] = [
  { header: 'Customer', role: 'title', cell: ({ customer }) => <span>{customer}</span> },
  { header: 'State', cell: ({ state }) => <Badge variant="outline">{states[state]}</Badge> },
  { header: 'Day', cell: ({ day }) => day },
]

/** Shows components with data of this file. Only `npm run dev -- --mock` has this page, at /examples. */
export function ExamplesPage() {
  const [state, setState] = useState<string>()
  const [since, setSince] = useState('')
  const rows = orders.filter((order) => (state === undefined || order.state === state) && order.day >= since)
  const bars = Object.entries(states).map(([id, label]) => ({
    id,
    label,
    number: rows.filter((order) => order.state === id).length,
    link: { to: '/users', search: { q: label } } as const,
  }))
  return (
    <main className="mx-auto grid max-w-6xl gap-6 p-4">
      <h1 className="text-2xl font-semibold">Components for your own pages</h1>
      <div className="flex flex-wrap items-end gap-4">
        <FilterSelect label="State" value={state} options={options} onChoose={setState} />
        <FilterField label="Since" isActive={since !== ''}>
          {(input) => <DatePicker {...input} value={since} onPick={setSince} />}
        </FilterField>
        <Button
          variant="secondary"
          onClick={() => {
            setState(undefined)
            setSince('')
          }}
        >
          Clear
        </Button>
      </div>
      <BarChart title="Orders by state" note={countText(rows.length, 'order')} noun="order" bars={bars} />
      <DataTable label="Orders" columns={columns} rows={rows} />
      <h2 className="text-lg font-semibold">Kinds of fields</h2>
      <FieldsExample />
    </main>
  )
}
