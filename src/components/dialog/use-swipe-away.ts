import { type PointerEvent, useRef } from 'react'

/** A sheet closes when it is swiped by a quarter of its size. Its animation lasts half a second (SPEC 9). */
const CLOSE_THRESHOLD = 0.25
const SETTLE_MS = 500
/** A touch this soon after scrolling inside the sheet continues to scroll. */
const SCROLL_LOCK_MS = 100
/** The pixels that a touch must move to count as a swipe. */
const SLOP = 8

interface Pull {
  startX: number
  startY: number
  distance: number
  taken: boolean
}

/** @returns handlers for the sheet's element. Its `touch-action` must leave swipes towards `side` to scripts. */
export function useSwipeAway(side: 'left' | 'right' | 'down', onAway: () => void) {
  const pull = useRef<Pull | null>(null)
  const scrolledAt = useRef(0)
  const isDown = side === 'down'
  const sign = side === 'left' ? -1 : 1
  const translate = (length: string) => `translate${isDown ? 'Y' : 'X'}(${length})`

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
      const dx = event.clientX - current.startX
      const dy = event.clientY - current.startY
      const along = (isDown ? dy : dx) * sign
      const across = Math.abs(isDown ? dx : dy)
      if (!current.taken) {
        const scrolling = performance.now() - scrolledAt.current < SCROLL_LOCK_MS
        if (across > SLOP || scrolling) pull.current = null
        else if (along > SLOP) {
          current.taken = true
          event.currentTarget.setPointerCapture(event.pointerId)
          event.currentTarget.style.transition = 'none'
        }
        return
      }
      current.distance = Math.max(0, along)
      event.currentTarget.style.transform = translate(`${current.distance * sign}px`)
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const current = pull.current
      pull.current = null
      if (!current?.taken) return
      const element = event.currentTarget
      const size = isDown ? element.offsetHeight : element.offsetWidth
      if (current.distance > size * CLOSE_THRESHOLD) {
        settle(element, translate(`${100 * sign}%`))
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
