import type { ReactNode } from 'react'
import { Dialog, DialogBody, type DialogControl, DialogFooter } from './dialog'
import { Button } from '../ui/button'
import type { Filters } from '../list/filters'

export interface FilterSheetProps extends DialogControl {
  filters: Pick<Filters<never>, 'isFiltered' | 'filterCount' | 'clear'>
  description: string
  done: string
  isPlaceholderData: boolean
  children: ReactNode
}

export function FilterSheet(props: FilterSheetProps) {
  const { filters, description, done, isPlaceholderData, children, ...control } = props
  return (
    <Dialog {...control} sheet="from below" title="Filters">
      <DialogBody description={description}>
        <div className="grid gap-4 pb-4">{children}</div>
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" disabled={!filters.isFiltered} onClick={filters.clear}>
          Clear filters
        </Button>
        <Button pending={isPlaceholderData} onClick={control.onClose}>
          {done}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
