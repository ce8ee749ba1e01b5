import { clsx } from 'clsx'
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'

/** A shorter delay would show labels to a passing pointer. */
const DELAY_MS = 700

interface TooltipProps {
  label: string | undefined
  side?: 'right' | 'below'
  className?: string | undefined
  children: ReactNode
}

/** A label on hover and focus. It is not an accessible name, so the children need one of their own. */
export function Tooltip({ label, side = 'below', className, children }: TooltipProps) {
  const [place, setPlace] = useState<CSSProperties | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  function show(target: Element): void {
    clearTimeout(timer.current)
    const { left, right, top, bottom, height } = target.getBoundingClientRect()
    const { clientWidth } = document.documentElement
    if (side === 'right') setPlace({ left: right, top: top + height / 2 })
    else setPlace({ top: bottom, ...(left < clientWidth / 2 ? { left } : { right: clientWidth - right }) })
  }

  function hide(): void {
    clearTimeout(timer.current)
    setPlace(null)
  }

  const isOpen = place !== null
  useEffect(() => {
    if (!isOpen) return
    const over = new AbortController()
    const { signal } = over
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && setPlace(null), { signal })
    document.addEventListener('scroll', () => setPlace(null), { capture: true, signal })
    return () => over.abort()
  }, [isOpen])
  useEffect(() => () => clearTimeout(timer.current), [])

  return (
    <div
      className={className}
      onPointerEnter={({ currentTarget, pointerType }) => {
        if (pointerType !== 'touch') timer.current = setTimeout(() => show(currentTarget), DELAY_MS)
      }}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={({ currentTarget, target }) => {
        if (target.matches(':focus-visible')) show(currentTarget)
      }}
      onBlur={() => {
        clearTimeout(timer.current)
        // Delayed, because a dialog takes the focus for a moment when an element is removed from it.
        timer.current = setTimeout(() => setPlace(null))
      }}
    >
      {children}
      {place && label !== undefined && (
        <div
          role="tooltip"
          ref={putOnTop}
          style={place}
          // Padding fills the gap to the label, so that the pointer can reach the label.
          className={clsx(
            'fixed inset-auto z-50 m-0 overflow-visible border-0 bg-transparent p-0',
            side === 'right' ? '-translate-y-1/2 pl-1.5' : 'pt-1.5',
          )}
        >
          <div className="rounded-md bg-foreground px-2 py-1 text-xs text-background">{label}</div>
        </div>
      )}
    </div>
  )
}

/** Uses the top layer, where no ancestor can clip the label. */
function putOnTop(element: HTMLElement | null): void {
  // jsdom has no popovers.
  if (!element || !('togglePopover' in element)) return
  element.popover = 'manual'
  element.togglePopover(true)
}
