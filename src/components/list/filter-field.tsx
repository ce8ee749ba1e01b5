import { clsx } from 'clsx'
import { ChevronDown, X } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'

interface FilterFieldProps {
  label: string
  isActive: boolean
  onClear?: () => void
  /** Whether the field is one end of a range. While a sheet has the fields, a single chip shows both ends. */
  isEnd?: boolean
  problem?: string | undefined
  /** What a chip shows of the chosen value. Its control must be invisible and cover the chip. */
  chosen?: ReactNode
  children: (input: { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }) => ReactNode
}

export function FilterField({ label, isActive, onClear, isEnd = false, problem, chosen, children }: FilterFieldProps) {
  const field = useRef<HTMLDivElement>(null)
  const id = useId()
  const isInvalid = problem !== undefined
  return (
    <div
      ref={field}
      className={clsx(
        'min-w-0 chips:relative chips:flex chips:max-w-full chips:h-9 chips:items-center chips:rounded-md chips:border chips:shadow-xs chips:pointer-coarse:h-11',
        'chips:[&_input]:h-full chips:[&_input]:w-auto chips:[&_input]:min-h-6 chips:pointer-coarse:[&_input]:h-11 chips:[&_input]:border-0 chips:[&_input]:px-2 chips:[&_input]:bg-transparent chips:[&_input]:shadow-none',
        'crowded:[&_input]:px-1 crowded:[&_input]:text-xs crowded:[&_input]:font-normal crowded:[&_input::-webkit-calendar-picker-indicator]:-ml-1 crowded:[&_input::-webkit-calendar-picker-indicator]:p-0',
        'chips:has-[:is(select,[aria-haspopup]):focus-visible]:outline-2',
        (isEnd || !isActive) && 'chosen:hidden',
        isActive && 'chips:border-primary/40 chips:bg-muted chips:font-medium',
      )}
    >
      <label
        id={`${id}-label`}
        htmlFor={id}
        className={clsx(
          'mb-1 block text-xs whitespace-nowrap text-muted-foreground chips:mb-0 chips:min-w-0 chips:truncate chips:text-sm',
          isEnd ? 'chips:pl-2 crowded:sr-only' : 'chips:pl-3 crowded:pl-2',
          isActive ? "chips:after:content-[':'_/_'']" : 'crowded:pr-2',
        )}
      >
        {label}
      </label>
      {children({ id, 'aria-invalid': isInvalid, 'aria-describedby': isInvalid ? `${id}-problem` : undefined })}
      {chosen !== undefined && (
        <span
          aria-hidden
          className={clsx(
            'hidden min-w-0 truncate px-2 columns:px-1.5 crowded:pr-0 crowded:pl-1 chips:block',
            isActive ? 'crowded:max-w-25' : 'crowded:hidden',
          )}
        >
          {isActive ? chosen : <ChevronDown className="size-4 text-muted-foreground" />}
        </span>
      )}
      {isInvalid && (
        <p id={`${id}-problem`} role="alert" className="mt-1 text-xs text-destructive chips:mt-0 chips:mr-3">
          {`Not applied. ${problem}.`}
        </p>
      )}
      {isActive && onClear && (
        <button
          type="button"
          aria-label="Remove filter"
          aria-describedby={`${id}-label`}
          title="Remove filter"
          className="relative mr-1.5 hidden size-6 crowded:mr-1 shrink-0 place-items-center rounded text-muted-foreground hover:bg-background hover:text-foreground chips:grid pointer-coarse:mr-0 pointer-coarse:size-11"
          onClick={() => {
            // The button disappears, so the input gets its focus.
            field.current?.querySelector<HTMLElement>('select, input, [aria-haspopup]')?.focus()
            onClear()
          }}
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  )
}
