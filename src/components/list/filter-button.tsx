import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Dialog, DialogBody, DialogFooter } from '../dialog/dialog'
import { Button } from '../ui/button'
import type { Filters } from './use-filters'

interface FilterButtonProps {
  filters: Pick<Filters<never>, 'isFiltered' | 'filterCount' | 'clear'>
  /** What the filters are about. */
  description: string
  /** On the button that closes the sheet. */
  done: string
  /** The rows of the filters are loading. */
  isPlaceholderData: boolean
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
  children: ReactNode
}

/** Opens the filters of a narrow list, which change at once. */
export function FilterButton(props: FilterButtonProps) {
  const { filters, description, done, isPlaceholderData, isOpen, setOpen, children } = props
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => setOpen(false)
  return (
    <>
      <Button
        ref={opener}
        variant="secondary"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <SlidersHorizontal aria-hidden />
        Filters
        {filters.filterCount > 0 && (
          <span className="rounded-full bg-primary px-1.5 text-xs text-primary-foreground">{filters.filterCount}</span>
        )}
      </Button>
      <Dialog opener={opener} open={isOpen} onClose={close} sheet="from below" title="Filters">
        <DialogBody description={description}>
          <div className="grid gap-4 pb-4">{children}</div>
        </DialogBody>
        <DialogFooter>
          <Button variant="secondary" disabled={!filters.isFiltered} onClick={filters.clear}>
            Clear filters
          </Button>
          <Button pending={isPlaceholderData} onClick={close}>
            {done}
          </Button>
        </DialogFooter>
      </Dialog>
    </>
  )
}
