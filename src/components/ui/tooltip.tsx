import { clsx } from 'clsx'
import {
  type CSSProperties,
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'

/** Until a label is shown, so that a pointer that only passes shows none. */
const DELAY_MS = 700

interface TooltipProps {
  /** Absent for no tooltip. */
  label: string | undefined
  side?: 'right' | 'below'
  className?: string | undefined
  children: ReactNode
}

/**
 * Shows a label beside or below its children while they are hovered or focused. Escape hides it, and the pointer can move
 * onto it. It is in the same landmark or dialog as its children. They must have an accessible name, as the label gives
 * none.
 */
export function Tooltip({ label, side = 'below', className, children }: TooltipProps) {
  const [place, setPlace] = useState<CSSProperties | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  function show(target: Element): void {
    clearTimeout(timer.current)
    const { left, right, top, bottom, height } = target.getBoundingClientRect()
    const { clientWidth } = document.documentElement
    if (side === 'right') setPlace({ left: right, top: top + height / 2 })
    // On the side of the window with more room.
    else setPlace({ top: bottom, ...(left < clientWidth / 2 ? { left } : { right: clientWidth - right }) })
  }

  function hide(): void {
    clearTimeout(timer.current)
    setPlace(null)
  }

  const isOpen = place !== null
  useEffect(() => {
    if (!isOpen) return
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setPlace(null)
    }
    document.addEventListener('keydown', onKeyDown)
    const onScroll = (): void => setPlace(null)
    document.addEventListener('scroll', onScroll, { capture: true })
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('scroll', onScroll, { capture: true })
    }
  }, [isOpen])
  useEffect(() => () => clearTimeout(timer.current), [])

  return (
    <div
      className={className}
      onPointerEnter={({ currentTarget, pointerType }: PointerEvent) => {
        if (pointerType !== 'touch') timer.current = setTimeout(() => show(currentTarget), DELAY_MS)
      }}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={({ currentTarget, target }: FocusEvent) => {
        if (target.matches(':focus-visible')) show(currentTarget)
      }}
      onBlur={() => {
        clearTimeout(timer.current)
        // Not yet: between two focused elements, a dialog takes the focus when something is removed from it.
        timer.current = setTimeout(() => setPlace(null))
      }}
    >
      {children}
      {place && label !== undefined && (
        <div
          role="tooltip"
          ref={putOnTop}
          style={place}
          // Includes the gap, so that the pointer can reach the label.
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

/** Nothing on the page cuts it off. */
function putOnTop(element: HTMLElement | null): void {
  // Not in jsdom.
  if (!element || !('togglePopover' in element)) return
  element.popover = 'manual'
  element.togglePopover(true)
}
