import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { toast } from 'sonner'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { setUpClient } from '@/lib/api/setup'
import { forgetRequests, network, unhandledRequests } from './network'

setUpClient()
// The roles and texts that are there say more than a thousand lines of markup.
configure({ getElementError: (message) => Object.assign(new Error(message ?? ''), { name: 'NotFound' }) })

/** What was written to the console and not announced by `expectConsoleError`. Any of it fails the test. */
const complaints: string[] = []
let announced: RegExp[] = []

/** Says beforehand what a test makes the application, or React, complain of. */
export function expectConsoleError(pattern: RegExp): void {
  announced.push(pattern)
}

function complain(...parts: unknown[]): void {
  const text = parts.map(String).join(' ')
  if (!announced.some((pattern) => pattern.test(text))) complaints.push(text)
}

beforeAll(() => network.listen({ onUnhandledFrame: ({ frame }) => void unhandledRequests.push(describeFrame(frame)) }))

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(complain)
  vi.spyOn(console, 'warn').mockImplementation(complain)
})

afterEach(() => {
  cleanup()
  toast.dismiss()
  network.resetHandlers()
  forgetRequests()
  localStorage.clear()
  sessionStorage.clear()
  announced = []
  expect(complaints.splice(0), 'unexpected words on the console').toEqual([])
  expect(unhandledRequests.splice(0), 'requests nobody answers').toEqual([])
})

afterAll(() => network.close())

function describeFrame(frame: { data: unknown }): string {
  const { request } = frame.data as { request?: Request }
  return request ? `${request.method} ${request.url}` : 'something that is not a request'
}

// What jsdom lacks and the components ask for.
window.matchMedia = (query) =>
  Object.assign(new EventTarget(), {
    matches: false,
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  })
window.scrollTo = () => undefined
Element.prototype.scrollIntoView = () => undefined
Element.prototype.hasPointerCapture = () => false
Element.prototype.releasePointerCapture = () => undefined
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
