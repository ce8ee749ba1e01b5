import { type ReactNode, useState } from 'react'
import type { BulkResult } from '@/client/types.gen'
import { countText, numberText } from '@/lib/text'
import { useRequest } from '@/data/api/use-request'
import type { Tag } from '@/lib/resources'
import { toast } from '@/browser/toast'
import type { RowSelection } from '../list/selection'
import type { ListState } from '../list/use-list'
import type { PageDialogControl } from '../page-dialogs'
import { type BulkWords, describeResult } from './bulk-result'
import { ConfirmDialog, Refusal } from './confirm-dialog'
import { useConfirm } from '../form/use-confirm'

/** For more rows, the user must type their number. */
const TYPED_ABOVE = 50
/** The server's limit for rows that match a filter, as `openapi.json` describes. */
const MAX_MATCHES = 10_000

type Target<Filter> = { ids: string[] } | { filter: Filter; count: number }

export interface BulkRows<Filter> {
  selection: RowSelection
  list: Pick<ListState<unknown>, 'count' | 'noun' | 'plural'>
  filter: Filter
}

interface BulkDialogProps<Filter> extends PageDialogControl, BulkRows<Filter>, BulkWords {
  title: string
  consequence: string
  consequenceOfOne?: string
  note?: ReactNode
  isNotePending?: boolean
  choice?: ReactNode
  variant?: 'primary' | 'destructive'
  schema: { properties: { ids: { maxItems: number } } }
  send: (target: Target<Filter>) => Promise<{ data: BulkResult }>
  /** The new fields of all rows that were not refused. */
  fields?: object | undefined
  invalidates: readonly [Tag, ...Tag[]]
  undo?: { send: (ids: string[]) => Promise<{ data: BulkResult }>; fields: object; done: BulkWords['done'] } | undefined
  kept?: { id: string; note: string }
}

/** Deletes the selected rows of a resource. */
export function DeleteSelected<Filter>(
  props: Omit<BulkDialogProps<Filter>, 'title' | 'consequence' | keyof BulkWords>,
) {
  return (
    <BulkDialog
      {...props}
      title="Delete"
      isDeletion
      consequence="They will be permanently deleted. This action cannot be undone."
      consequenceOfOne={`This ${props.list.noun} will be permanently deleted. This action cannot be undone.`}
      done={['was deleted.', 'were deleted.']}
    />
  )
}

export function BulkDialog<Filter>(props: BulkDialogProps<Filter>) {
  const { selection, list, filter, title, consequence, variant = 'destructive', send, invalidates, kept } = props
  const { consequenceOfOne = consequence, note, isNotePending = false, isDeletion = false } = props
  const { onDone, ...control } = props
  // The dialog keeps a copy of the selection, which is cleared while the dialog is still closing.
  const [{ rows, isAll }] = useState(() => selection.state.get())
  const count = isAll ? list.count : rows.size
  const { noun, plural } = list
  const [tag] = invalidates
  const fields = isDeletion ? null : props.fields
  const named = { rows, noun, plural }
  const rowsBut = (left: ReadonlySet<string>): string[] => [...rows.keys()].filter((id) => !left.has(id))
  const undone = useRequest({
    mutationFn: async (ids: string[]) => (await (props.undo as NonNullable<typeof props.undo>).send(ids)).data,
    meta: {
      success: (answer) =>
        describeResult(answer as BulkResult, { done: props.undo?.done ?? props.done }, named).sentences.join(' '),
      invalidates: [...invalidates],
      reloadsOnFailure: true,
      rows: { tag, ids: (answer) => (answer as BulkResult).changed_ids ?? [], fields: props.undo?.fields ?? {} },
    },
  })
  const confirmed = useConfirm({
    send: async () => (await send(isAll ? { filter, count } : { ids: [...rows.keys()] })).data,
    meta: {
      invalidates: [...invalidates],
      changesMore: fields !== undefined,
      ...((fields === null || (fields && !isAll)) && {
        rows: { tag, ids: (answer) => rowsBut(new Set((answer as BulkResult).refused.map(({ id }) => id))), fields },
      }),
    },
    onDone: (result) => {
      const refused = result.refused.filter(({ id }) => id !== kept?.id)
      const { sentences, failed } = describeResult({ ...result, refused }, props, named)
      const [text = '', ...notes] = sentences
      const changedIds = result.changed_ids ?? []
      const onUndo = props.undo && changedIds.length > 0 ? () => undone.send(changedIds) : undefined
      if (failed.size === 0) toast.success(sentences.join(' '), onUndo)
      else toast.error(text, notes.join(' ') || undefined)
      // Refused rows stay selected, so that the user can find them. If another dialog is open by now, all rows stay
      // selected for it, unless they were deleted.
      if (isDeletion || control.isCurrent()) {
        if (!isAll) selection.remove(rowsBut(failed))
        else if (selection.state.get().isAll) selection.clear()
      }
      return onDone()
    },
  })
  function closeEmpty(): void {
    selection.clear()
    control.onClose()
  }
  // Nothing is selected after a reload, or if a request without a response has deleted all matching rows.
  if (count === 0) return <Refusal control={{ ...control, onClose: closeEmpty }} />
  const what = countText(count, noun, plural)
  const most = isAll ? MAX_MATCHES : props.schema.properties.ids.maxItems
  const isTooMany = count > most
  const limit = `At most ${numberText(most)} ${isAll ? '' : 'selected '}${plural} can be ${isDeletion ? 'deleted' : 'changed'} at once.`
  const question = (
    <>
      {isAll && (
        <strong className="mb-2 block text-foreground">
          {`${count === 1 ? `The only ${noun} that matches` : `All ${what} that match`} the filters. ${kept?.note ?? ''} `}
        </strong>
      )}
      <span>{count === 1 ? consequenceOfOne : consequence}</span> {note}
    </>
  )
  return (
    <ConfirmDialog
      {...control}
      {...confirmed}
      pending={confirmed.pending || isNotePending}
      title={`${title} ${what}`}
      subject={isAll ? [] : [...rows.values()]}
      description={isTooMany ? limit : question}
      action={`${title} ${what}`}
      variant={variant}
      disabled={isTooMany}
      choice={props.choice}
      toType={count > TYPED_ABOVE && !isTooMany ? count : undefined}
    />
  )
}
