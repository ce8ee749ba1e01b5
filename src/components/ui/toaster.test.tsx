import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { toast } from '@/browser/toast'
import { Toaster } from './toaster'

test('SPEC 9: a toast closes after 4 s, an error after 10 s, but not with the focus or pointer in it', () => {
  vi.useFakeTimers()
  try {
    const pass = (seconds: number): void => act(() => void vi.advanceTimersByTime(seconds * 1000))
    const close = () => screen.queryByRole('button', { name: 'Close toast' })
    render(<Toaster />)
    for (const [kind, duration] of [
      ['success', 4],
      ['error', 10],
    ] as const) {
      act(() => toast[kind]('Said'))
      pass(duration - 0.5)
      expect(close()).toBeInTheDocument()
      act(() => close()?.focus())
      pass(60)
      expect(close()).toHaveFocus()
      act(() => close()?.blur())
      pass(1)
      expect(close()).not.toBeInTheDocument()

      act(() => toast[kind]('Said'))
      pass(duration - 0.5)
      fireEvent.mouseEnter(screen.getByRole('list'))
      pass(60)
      expect(close()).toBeInTheDocument()
      fireEvent.mouseLeave(screen.getByRole('list'))
      pass(1)
      expect(close()).not.toBeInTheDocument()
    }
  } finally {
    vi.useRealTimers()
  }
})
