import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, afterEach, expect, test, vi } from 'vitest'
import { ApiError, Cancelled, CodeLoadError, ForeignAnswer, Unreachable } from '@/data/api/errors'
import { ErrorPanel } from './error-panel'

const apiError = (status: number) => new ApiError({ url: '/api', status, statusText: '' }, {})
const minute = 60_000
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([
  ['no response', new Unreachable(undefined)],
  ['a 503', apiError(503)],
] as const)('retries every 15 seconds after %s', (_name, error) => {
  const onRetry = vi.fn<() => void>()
  const { rerender } = render(<ErrorPanel error={error} onRetry={onRetry} />)
  pass(10_000)
  expect(onRetry).not.toHaveBeenCalled()
  pass(5_000)
  expect(onRetry).toHaveBeenCalledOnce()
  rerender(<ErrorPanel error={apiError(500)} onRetry={onRetry} />)
  pass(15_000)
  expect(onRetry).toHaveBeenCalledTimes(2)
})

test('says why, and whether it is tried again', () => {
  const { rerender } = render(<ErrorPanel error={apiError(503)} onRetry={() => undefined} />)
  const panel = screen.getByRole('alert')
  expect(panel).toHaveTextContent('The server answered “Service Unavailable”. Retrying every 15 seconds.')
  rerender(<ErrorPanel error={new Unreachable(undefined)} onRetry={() => undefined} />)
  expect(panel).toHaveTextContent('The server cannot be reached. Retrying every 15 seconds.')
  rerender(<ErrorPanel error={apiError(422)} onRetry={() => undefined} />)
  expect(panel).toHaveTextContent('The server answered “Validation Error”.')
  expect(panel).not.toHaveTextContent('tried again')
})

test.each([
  [
    'the code did not load',
    new CodeLoadError(new TypeError('Failed to fetch')),
    'The code of this page could not be loaded.',
  ],
  ['a render failed', new TypeError('x is not a function'), 'This page could not be shown.'],
  ['another answer came', new ForeignAnswer(), 'The answer did not come from Steward.'],
  ['a session is over', new Cancelled('over'), 'This page could not be shown.'],
  ['something is thrown that is no error', undefined, 'This page could not be shown.'],
])('says why when %s', (_name, error, reason) => {
  render(<ErrorPanel error={error} onRetry={() => undefined} />)
  expect(screen.getByRole('alert')).toHaveTextContent(reason)
  fireEvent.click(screen.getByRole('button', { name: 'Show Error' }))
  expect(screen.getByRole('alert')).not.toHaveTextContent(/Something went wrong!.*undefined.*Try again/)
})

test('says that only a part failed', () => {
  render(<ErrorPanel error={new TypeError('x is not a function')} isPart onRetry={() => undefined} />)
  expect(screen.getByRole('alert')).toHaveTextContent('This part of the page could not be shown.')
})

test('shows the request to quote after an error of the server', () => {
  const failed = (status: number) =>
    new ApiError({ url: '/api', status, statusText: '', headers: new Headers({ 'X-Request-Id': 'a1-b2' }) }, {})
  const { rerender } = render(<ErrorPanel error={failed(500)} onRetry={() => undefined} />)
  expect(screen.getByText('Request ID: a1-b2')).toBeVisible()
  rerender(<ErrorPanel error={failed(404)} onRetry={() => undefined} />)
  expect(screen.queryByText(/Request ID/)).toBeNull()
})

test('does not wait longer when its page renders again', () => {
  const onRetry = vi.fn<() => void>()
  const error = apiError(503)
  const { rerender } = render(<ErrorPanel error={error} onRetry={() => onRetry()} />)
  pass(10_000)
  rerender(<ErrorPanel error={error} onRetry={() => onRetry()} />)
  pass(5_000)
  expect(onRetry).toHaveBeenCalledOnce()
})

test.each([apiError(404), new TypeError('x is not a function')])('does not retry after %s', (error) => {
  const onRetry = vi.fn<() => void>()
  render(<ErrorPanel error={error} onRetry={onRetry} />)
  expect(screen.getByRole('alert')).not.toHaveTextContent('The server cannot be reached.')
  pass(minute)
  expect(onRetry).not.toHaveBeenCalled()
})

test('does not retry while the error is shown', () => {
  const onRetry = vi.fn<() => void>()
  render(<ErrorPanel error={apiError(503)} onRetry={onRetry} />)
  fireEvent.click(screen.getByRole('button', { name: 'Show Error' }))
  pass(minute)
  expect(onRetry).not.toHaveBeenCalled()
})
