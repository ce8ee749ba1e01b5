import { SlidersHorizontal } from 'lucide-react'
import { useRef, useState } from 'react'
import { lazyPart } from '../lazy'
import { Button } from '../ui/button'
import type { FilterSheetProps } from '../dialog/filter-sheet'

const FilterSheet = lazyPart(async () => (await import('../dialog/filter-sheet')).FilterSheet)

interface FilterButtonProps extends Omit<FilterSheetProps, 'opener' | 'open' | 'onClose'> {
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
}

/** Opens the filters of a narrow list in a sheet. Changing a filter takes effect at once. */
export function FilterButton({ isOpen, setOpen, ...sheet }: FilterButtonProps) {
  const { filterCount } = sheet.filters
  const opener = useRef<HTMLButtonElement>(null)
  // The sheet stays mounted after closing, because it may still be animating.
  const [wasOpened, setOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setOpened(true)
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
        <SlidersHorizontal aria-hidden className="@max-xs:hidden" />
        Filters
        {filterCount > 0 && (
          <span className="rounded-full bg-primary px-1.5 text-xs text-primary-foreground">{filterCount}</span>
        )}
      </Button>
      {wasOpened && <FilterSheet {...sheet} opener={opener} open={isOpen} onClose={close} onFailure={close} />}
    </>
  )
}
