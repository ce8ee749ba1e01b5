import { type PointerEvent, useRef } from 'react'

/** A sheet closes when it is swiped by a quarter of its size. Its animation lasts half a second (SPEC 9). */
const CLOSE_THRESHOLD = 0.25
const SETTLE_MS = 500
/** A touch this soon after scrolling inside the sheet continues to scroll. */
const SCROLL_LOCK_MS = 100
/** The pixels that a touch must move to count as a swipe. */
const SLOP = 8

type Touch = PointerEvent<HTMLElement>

/** @returns handlers for the sheet's element. Its `touch-action` must leave swipes towards `side` to scripts. */
export function useSwipeAway(side: 'left' | 'right' | 'down', onAway: () => void) {
  /** Where the touch began, and how far the sheet has followed it. */
  const pull = useRef<{ x: number; y: number; distance?: number }>(null)
  const scrolledAt = useRef(0)
  const isDown = side === 'down'
  const sign = side === 'left' ? -1 : 1
  const translate = (length: string) => `translate${isDown ? 'Y' : 'X'}(${length})`

  return {
    onScrollCapture: () => {
      scrolledAt.current = performance.now()
    },
    onPointerDown: ({ target, pointerType, isPrimary, clientX: x, clientY: y }: Touch) => {
      const isInText = target instanceof Element && target.closest('input, textarea') !== null
      if (pointerType === 'touch' && isPrimary && !isInText) pull.current = { x, y }
    },
    onPointerMove: ({ currentTarget: sheet, pointerId, clientX, clientY }: Touch) => {
      const current = pull.current
      if (!current) return
      const [dx, dy] = [clientX - current.x, clientY - current.y]
      const along = (isDown ? dy : dx) * sign
      const across = Math.abs(isDown ? dx : dy)
      if (current.distance !== undefined) {
        current.distance = Math.max(0, along)
        sheet.style.transform = translate(`${current.distance * sign}px`)
      } else if (across > SLOP || performance.now() - scrolledAt.current < SCROLL_LOCK_MS) pull.current = null
      else if (along > SLOP) {
        current.distance = 0
        sheet.setPointerCapture(pointerId)
        sheet.style.transition = 'none'
      }
    },
    onPointerUp: ({ currentTarget: sheet }: Touch) => {
      const { distance } = pull.current ?? {}
      pull.current = null
      if (distance === undefined) return
      const isAway = distance > (isDown ? sheet.offsetHeight : sheet.offsetWidth) * CLOSE_THRESHOLD
      settle(sheet, isAway ? translate(`${100 * sign}%`) : '')
      if (isAway) onAway()
    },
    onPointerCancel: ({ currentTarget: sheet }: Touch) => {
      if (pull.current?.distance !== undefined) settle(sheet, '')
      pull.current = null
    },
  }
}

function settle(element: HTMLElement, transform: string): void {
  element.style.transition = `transform ${SETTLE_MS}ms cubic-bezier(0.32, 0.72, 0, 1)`
  element.style.transform = transform
}
