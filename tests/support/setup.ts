import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { toast } from 'sonner'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { setUpClient } from '@/lib/api/setup'
import { setArrival } from '@/lib/arrival'
import { complain, takeComplaints } from './console'
import { screenWidth } from './screen-width'
import { forgetRequests, network, unhandledRequests } from './network'

setUpClient()
// The roles and texts that are there say more than a thousand lines of markup.
configure({ getElementError: (message) => Object.assign(new Error(message ?? ''), { name: 'NotFound' }) })

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
  screenWidth.reset()
  localStorage.clear()
  sessionStorage.clear()
  setArrival({})
  document.cookie = 'sidebar_state=; max-age=0; path=/'
  document.documentElement.className = ''
  expect(takeComplaints(), 'unexpected words on the console').toEqual([])
  expect(unhandledRequests.splice(0), 'requests nobody answers').toEqual([])
})

afterAll(() => network.close())

function describeFrame(frame: { data: unknown }): string {
  const { request } = frame.data as { request?: Request }
  return request ? `${request.method} ${request.url}` : 'something that is not a request'
}

// What jsdom lacks and the components ask for.
window.scrollTo = () => undefined
Element.prototype.scrollIntoView = () => undefined
Element.prototype.hasPointerCapture = () => false
Element.prototype.releasePointerCapture = () => undefined
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
