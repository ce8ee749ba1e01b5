import type { ReactNode } from 'react'
import type { ResourceQuery } from '@/data/api/resource'
import type { Tag } from '@/lib/resources'
import { capitalize } from '@/lib/text'
import { ignoreNotFound } from '../form/use-confirm'
import { LinkedCount, useLinkedCounts } from '../linked-rows'
import { useSelectionOf } from '../list/selection'
import type { PageDialogControl } from '../page-dialogs'
import { Confirm } from './confirm-dialog'

interface DeleteRowProps<Row> extends PageDialogControl {
  list: { tag: Tag; noun: string; nameOf: (row: Row) => string; row: (id: string) => ResourceQuery<Row> }
  row: Row
  subject?: string
  description?: ReactNode
  send: () => Promise<unknown>
  /** Lists with rows that the server deletes, too. */
  invalidates?: readonly Tag[]
}

const consequences = {
  refuse: ['links to it.', 'link to it.'],
  clear: ['will lose its link to it.', 'will lose their links to it.'],
  delete: ['will be deleted, too.', 'will be deleted, too.'],
} as const

export function DeleteRow<Row extends { id: string }>(props: DeleteRowProps<Row>) {
  const { list, row, subject, description, send, invalidates = [], ...control } = props
  const { tag, noun } = list
  const { id } = row
  const selection = useSelectionOf(tag)
  const counts = useLinkedCounts({ to: tag, id })
  // If the dialog opened before the numbers arrive, its buttons would move.
  if (!counts) return null
  const linked = counts.filter(({ count }) => count > 0)
  const isRefused = linked.some(({ onDelete }) => onDelete === 'refuse')
  const shown = isRefused ? linked.filter(({ onDelete }) => onDelete === 'refuse') : linked
  return (
    <Confirm
      {...control}
      title={`Delete ${capitalize(noun)}`}
      sheet="from the right"
      subject={subject ?? list.nameOf(row)}
      description={
        isRefused
          ? `This ${noun} cannot be deleted yet.`
          : (description ?? `This ${noun} will be permanently deleted. This action cannot be undone.`)
      }
      choice={
        shown.length > 0 && (
          <ul className="pb-4">
            {shown.map((linking) => (
              <li key={`${linking.resource.tag} ${linking.field}`}>
                <LinkedCount {...linking} id={id} />
                <span>{` ${consequences[linking.onDelete][linking.count === 1 ? 0 : 1]}`}</span>
              </li>
            ))}
          </ul>
        )
      }
      disabled={isRefused}
      send={() => ignoreNotFound(send())}
      deletes={list.row(id)}
      onDone={() => {
        selection.remove([id])
        return control.onDone()
      }}
      meta={{
        success: `The ${noun} was deleted successfully`,
        rows: { tag, ids: () => [id], fields: null },
        invalidates: [tag, ...invalidates],
        failure: { toast: `An error occurred while deleting the ${noun}` },
      }}
    />
  )
}
