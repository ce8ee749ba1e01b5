import { type PointerEvent, useRef } from 'react'

/** A sheet closes when it is swiped over a quarter of its width, and moves in half a second (SPEC 9). */
const CLOSE_THRESHOLD = 0.25
const SETTLE_MS = 500
/** A touch soon after scrolling inside counts as scrolling. */
const SCROLL_LOCK_MS = 100
/** Pixels before a touch counts as a swipe. */
const SLOP = 8

interface Pull {
  startX: number
  startY: number
  distance: number
  taken: boolean
}

/**
 * Closes a sheet by a swipe towards the side it came from.
 * @param side the direction in which the distance counts
 * @returns handlers for the sheet's element, whose `touch-action` is in the style sheet
 */
export function useSwipeAway(side: 'left' | 'right', onAway: () => void) {
  const pull = useRef<Pull | null>(null)
  const scrolledAt = useRef(0)
  const sign = side === 'right' ? 1 : -1

  return {
    onScrollCapture: () => {
      scrolledAt.current = performance.now()
    },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const inText = event.target instanceof Element && event.target.closest('input, textarea') !== null
      if (event.pointerType !== 'touch' || !event.isPrimary || inText) return
      pull.current = { startX: event.clientX, startY: event.clientY, distance: 0, taken: false }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const current = pull.current
      if (!current) return
      const dx = (event.clientX - current.startX) * sign
      const dy = Math.abs(event.clientY - current.startY)
      if (!current.taken) {
        const scrolling = performance.now() - scrolledAt.current < SCROLL_LOCK_MS
        if (dy > SLOP || scrolling) pull.current = null
        else if (dx > SLOP) {
          current.taken = true
          event.currentTarget.setPointerCapture(event.pointerId)
          event.currentTarget.style.transition = 'none'
        }
        return
      }
      current.distance = Math.max(0, dx)
      event.currentTarget.style.transform = `translateX(${current.distance * sign}px)`
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const current = pull.current
      pull.current = null
      if (!current?.taken) return
      const element = event.currentTarget
      if (current.distance > element.offsetWidth * CLOSE_THRESHOLD) {
        settle(element, `translateX(${100 * sign}%)`)
        onAway()
      } else settle(element, '')
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>) => {
      if (pull.current?.taken) settle(event.currentTarget, '')
      pull.current = null
    },
  }
}

function settle(element: HTMLElement, transform: string): void {
  element.style.transition = `transform ${SETTLE_MS}ms cubic-bezier(0.32, 0.72, 0, 1)`
  element.style.transform = transform
}
