import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { toast } from 'sonner'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import './client'
import { recordOutput, takeUnexpectedOutput } from './console'
import { screenWidth } from './screen-width'
import { forgetRequests, network, unhandledRequests } from './network'
import { watchSingleTexts } from './single-texts'

configure({
  // Generous, because slow machines run these tests, too.
  asyncUtilTimeout: 10_000,
  getElementError: (message) => Object.assign(new Error(message ?? ''), { name: 'NotFound' }),
})

beforeAll(() => network.listen({ onUnhandledFrame: ({ frame }) => void unhandledRequests.push(describeFrame(frame)) }))

let stopWatchingTexts: () => string[]

beforeEach(() => {
  stopWatchingTexts = watchSingleTexts()
  vi.spyOn(console, 'error').mockImplementation(recordOutput)
  vi.spyOn(console, 'warn').mockImplementation(recordOutput)
})

afterEach(() => {
  cleanup()
  // A page that waits for its heading (src/browser/focus-heading.ts) would move the focus of the next test.
  window.dispatchEvent(new Event('pointerdown'))
  const textFaults = stopWatchingTexts()
  toast.dismiss()
  network.resetHandlers()
  forgetRequests()
  screenWidth.reset()
  localStorage.clear()
  sessionStorage.clear()
  document.cookie = 'sidebar_state=; max-age=0; path=/'
  document.documentElement.className = ''
  expect(takeUnexpectedOutput(), 'unexpected console output').toEqual([])
  expect(textFaults, 'texts that change beside others: AGENTS.md').toEqual([])
  expect(unhandledRequests.splice(0), 'requests without a handler').toEqual([])
})

afterAll(async () => {
  network.close()
  // React Query tells components in a timer, which must not run when the window no longer exists.
  await new Promise((resolve) => setTimeout(resolve))
})

function describeFrame(frame: { data: unknown }): string {
  const { request } = frame.data as { request?: Request }
  return request ? `${request.method} ${request.url}` : 'not a request'
}

// Components use these functions, which jsdom lacks.
window.scrollTo = () => undefined
Element.prototype.scrollIntoView = () => undefined
Element.prototype.hasPointerCapture = () => false
Element.prototype.setPointerCapture = () => undefined
Element.prototype.releasePointerCapture = () => undefined
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
