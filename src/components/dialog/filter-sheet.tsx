import type { ReactNode } from 'react'
import { countText } from '@/lib/text'
import type { ListState } from '../list/use-list'
import { Button } from '../ui/button'
import { Dialog, DialogBody, type DialogControl, DialogFooter } from './dialog'

export function FilterSheet(props: DialogControl & { list: ListState<unknown>; children: ReactNode }) {
  const { list, children, ...control } = props
  const { count, noun, plural } = list
  return (
    <Dialog {...control} sheet="from below" title="Filters">
      <DialogBody description={`Choose which ${plural} are shown, and in which order.`}>
        <div className="grid gap-4 pb-4">{children}</div>
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" disabled={!list.isFiltered} onClick={list.clear}>
          Clear filters
        </Button>
        <Button pending={list.isPlaceholderData} onClick={control.onClose}>
          {`Show ${countText(count, noun, plural)}`}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
