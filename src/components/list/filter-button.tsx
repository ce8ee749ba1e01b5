import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { lazyPart } from '../lazy'
import { Button } from '../ui/button'
import type { ListState } from './use-list'

const FilterSheet = lazyPart(async () => (await import('../dialog/filter-sheet')).FilterSheet)

interface FilterButtonProps {
  list: ListState<unknown>
  /** `undefined` until it is opened. Later it stays mounted, because it may still be animating. */
  isOpen: boolean | undefined
  setOpen: (isOpen: boolean) => void
  children: ReactNode
}

/** Opens the filters of a narrow list in a sheet. Changing a filter takes effect at once. */
export function FilterButton({ isOpen, setOpen, ...sheet }: FilterButtonProps) {
  const { filterCount } = sheet.list
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => setOpen(false)
  return (
    <>
      <Button
        ref={opener}
        variant="secondary"
        aria-haspopup="dialog"
        aria-expanded={isOpen ?? false}
        onClick={() => setOpen(true)}
      >
        <SlidersHorizontal aria-hidden className="@max-xs:hidden" />
        Filters
        {filterCount > 0 && (
          <span className="rounded-full bg-primary px-1.5 text-xs text-primary-foreground">{filterCount}</span>
        )}
      </Button>
      {isOpen !== undefined && (
        <FilterSheet {...sheet} opener={opener} open={isOpen} onClose={close} onFailure={close} />
      )}
    </>
  )
}
