import { useRouter } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Search, X } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { useKeyDown } from '@/browser/use-key-down'
import { isTyping } from '@/lib/keys'
import { toText } from '@/lib/search-params'
import { controlHeight, fieldClass, searchIcon } from '../ui/classes'
import { IconButton } from '../ui/button'
import { enterRows } from './row-keys'

const WRITE_AFTER_MS = 250

interface SearchBoxProps {
  label: string
  q: string
  /** Called with a delay after the last key, and at once on blur. */
  onSearch: (q: string | undefined) => void
  ref: RefObject<HTMLInputElement | null>
}

/** Uncontrolled, so that rendering neither moves the caret nor drops a letter. */
export function SearchBox({ label, q, onSearch, ref }: SearchBoxProps) {
  const { history } = useRouter()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  function write(): void {
    if (timer.current === undefined) return
    stopWaiting()
    onSearch(toText(ref.current?.value))
  }

  function stopWaiting(): void {
    clearTimeout(timer.current)
    timer.current = undefined
  }

  // Going back or forward sets the text. Typing replaces the current history entry, so it needs nothing here.
  useEffect(() => {
    const { pathname } = history.location
    const unsubscribe = history.subscribe(({ location, action }) => {
      const input = ref.current
      if (!input || action.type === 'REPLACE' || location.pathname !== pathname) return
      stopWaiting()
      const text = toText(new URLSearchParams(location.search).get('q') ?? undefined)
      if (text !== toText(input.value)) input.value = text ?? ''
    })
    return () => {
      stopWaiting()
      unsubscribe()
    }
  }, [history, ref])

  useKeyDown((event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (isTyping(event.target) || document.querySelector('[role=dialog], [role=menu]') !== null) return
    event.preventDefault()
    ref.current?.focus()
    ref.current?.select()
  })

  return (
    <div className="relative grow basis-24 roomy:shrink-0 roomy:grow-0 roomy:basis-auto cards:roomy:w-[25cqw] columns:w-44 columns:@min-[64rem]:w-64 columns:self-start">
      <Search aria-hidden className={searchIcon} />
      <input
        ref={ref}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        title={`${label} ( / )`}
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        className={clsx(
          fieldClass,
          controlHeight,
          'peer pr-9 pl-9 text-ellipsis placeholder-shown:pr-3 pointer-coarse:not-placeholder-shown:pr-11 [&::-webkit-search-cancel-button]:hidden',
        )}
        defaultValue={q}
        onChange={() => {
          clearTimeout(timer.current)
          timer.current = setTimeout(write, WRITE_AFTER_MS)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') write()
          if (event.key === 'ArrowDown' && enterRows()) event.preventDefault()
        }}
        onBlur={write}
      />
      <span className="absolute inset-y-0 right-0 grid place-items-center peer-placeholder-shown:hidden">
        <IconButton
          label="Clear search"
          onClick={() => {
            stopWaiting()
            if (ref.current) ref.current.value = ''
            ref.current?.focus()
            onSearch(undefined)
          }}
        >
          <X aria-hidden />
        </IconButton>
      </span>
    </div>
  )
}
