import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  className?: string
}

/** @param label names the table for those who do not see the heading above it */
export function DataTable<Row extends { id: string }>(props: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
}) {
  const { label, columns, rows } = props
  return (
    <div className="overflow-x-auto rounded-lg border">
      <table aria-label={label} className="w-full text-left">
        <thead className="bg-surface text-xs text-muted-foreground">
          <tr>
            {columns.map(({ header, className }) => (
              <th key={header} scope="col" className={clsx('px-4 py-2.5 font-medium', className)}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map((row) => (
            <tr key={row.id}>
              {columns.map(({ header, cell, className }) => (
                <td key={header} className={clsx('px-4 py-3 break-words', className)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
