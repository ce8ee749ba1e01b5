import { SlidersHorizontal } from 'lucide-react'
import { useRef } from 'react'
import { FilterSheet, type FilterSheetContent } from '../dialog/filter-sheet'
import { Button } from '../ui/button'

interface FilterButtonProps extends FilterSheetContent {
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
}

/** Opens the filters of a narrow list. */
export function FilterButton({ isOpen, setOpen, ...content }: FilterButtonProps) {
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => setOpen(false)
  const { filterCount } = content.filters
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
        {filterCount > 0 && (
          <span className="rounded-full bg-primary px-1.5 text-xs text-primary-foreground">{filterCount}</span>
        )}
      </Button>
      <FilterSheet {...content} opener={opener} open={isOpen} onClose={close} />
    </>
  )
}
