import type { ReactNode } from 'react'
import { Dialog, DialogBody, type DialogControl, DialogFooter } from './dialog'
import { Button } from '../ui/button'
import type { List } from '../list/use-list'

interface FilterSheetProps extends DialogControl {
  list: Pick<List<never>, 'isFiltered' | 'isOutdated' | 'count' | 'countText' | 'clear' | 'plural'>
  children: ReactNode
}

/** The filters of a list, which change at once. */
export function FilterSheet({ list, children, ...control }: FilterSheetProps) {
  return (
    <Dialog {...control} isShort title="Filters">
      <DialogBody description={`Which ${list.plural} are shown, and in which order.`}>
        <div className="grid gap-4 pb-4">{children}</div>
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" disabled={!list.isFiltered} onClick={list.clear}>
          Clear filters
        </Button>
        <Button pending={list.isOutdated} onClick={control.onClose}>
          Show {list.countText(list.count)}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
