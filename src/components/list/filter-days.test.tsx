import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { CapabilitiesContext } from '@/data/api/capabilities'
import { FilterCreated, FilterDays } from './filter-time'

interface Ends {
  from: string | undefined
  to: string | undefined
}

function renderFilter(zone: string, { isTime, ...first }: Partial<Ends> & { isTime: boolean }) {
  vi.stubEnv('TZ', zone)
  const changes: Ends[] = []
  function Filter() {
    const [ends, setEnds] = useState<Ends>({ from: first.from, to: first.to })
    const change = (next: Ends) => {
      changes.push(next)
      setEnds(next)
    }
    return isTime ? (
      <FilterCreated {...ends} onChange={change} />
    ) : (
      <FilterDays label="Due On" {...ends} onChange={change} />
    )
  }
  render(
    <CapabilitiesContext value={new Set(['administration'])}>
      <Filter />
    </CapabilitiesContext>,
  )
  return { changes, select: screen.getByRole('combobox'), actor: userEvent.setup() }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  // It is November 22 in Auckland, and November 20 in Honolulu.
  vi.setSystemTime('2026-11-21T11:30:00Z')
})

test.each([
  ['Pacific/Auckland', 'Today', { from: '2026-11-22', to: '2026-11-22' }],
  ['Pacific/Auckland', 'Before today', { from: undefined, to: '2026-11-21' }],
  ['Pacific/Auckland', 'Next 7 days', { from: '2026-11-22', to: '2026-11-28' }],
  ['America/Los_Angeles', 'Today', { from: '2026-11-21', to: '2026-11-21' }],
])('in %s, the days of “%s” are those of the person', async (zone, period, ends) => {
  const { changes, select, actor } = renderFilter(zone, { isTime: false })
  await actor.selectOptions(select, period)
  expect(changes).toEqual([ends])
  expect(select).toHaveDisplayValue(period)
})

test.each([
  ['Pacific/Auckland', 'Today', { from: '2026-11-21T11:00:00.000Z', to: '2026-11-22T10:59:59.999Z' }],
  ['Pacific/Auckland', 'Yesterday', { from: '2026-11-20T11:00:00.000Z', to: '2026-11-21T10:59:59.999Z' }],
  ['Pacific/Honolulu', 'Today', { from: '2026-11-21T10:00:00.000Z', to: '2026-11-22T09:59:59.999Z' }],
  ['Pacific/Honolulu', 'Last 7 days', { from: '2026-11-15T10:00:00.000Z', to: undefined }],
])('in %s, the times of “%s” are those of days of the person', async (zone, period, ends) => {
  const { changes, select, actor } = renderFilter(zone, { isTime: true })
  await actor.selectOptions(select, period)
  expect(changes).toEqual([ends])
  expect(select).toHaveDisplayValue(period)
})

test('days that are typed are those of the person, and the whole of the last one counts', async () => {
  const { changes, select, actor } = renderFilter('Pacific/Auckland', { isTime: true })
  await actor.selectOptions(select, 'From … to …')
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '1985-06-01' } })
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '1985-06-01' } })
  expect(changes.at(-1)).toEqual({ from: '1985-05-31T12:00:00.000Z', to: '1985-06-01T11:59:59.999Z' })
  expect(
    [screen.getByLabelText('From'), screen.getByLabelText('To')].map((input) => (input as HTMLInputElement).value),
  ).toEqual(['1985-06-01', '1985-06-01'])
})

test.each([
  ['a day of UTC', { from: '2026-11-03', to: '2026-11-03' }, 'Nov 3, 2026 (UTC)'],
  [
    'a day of Berlin',
    { from: '2026-11-02T23:00:00.000Z', to: '2026-11-03T22:59:59.999Z' },
    /^From Nov \d, 2026, \S+\s[AP]M to Nov \d, 2026, \S+\s[AP]M$/,
  ],
  ['an own day', { from: '2026-11-02T11:00:00.000Z', to: '2026-11-03T10:59:59.999Z' }, 'Nov 3, 2026'],
])('%s in a link is shown as what it is', async (_, ends, text) => {
  const { changes, select, actor } = renderFilter('Pacific/Auckland', { isTime: true, ...ends })
  expect(select).toHaveDisplayValue(text)
  await actor.selectOptions(select, 'From … to …')
  expect(screen.getByLabelText('From')).toHaveValue('2026-11-03')
  expect(changes[0]?.from).toBe('2026-11-02T11:00:00.000Z')
})

test('in UTC, a day of a link is an own day', () => {
  const { select } = renderFilter('UTC', { isTime: true, from: '2026-11-21', to: '2026-11-21' })
  expect(select).toHaveDisplayValue('Today')
})

test('a day that does not filter says so, and no longer once it does', async () => {
  const { changes, select, actor } = renderFilter('UTC', { isTime: false, from: '2026-11-01' })
  await actor.selectOptions(select, 'From … to …')
  const [from, to] = [screen.getByLabelText<HTMLInputElement>('From'), screen.getByLabelText('To')]
  const before = changes.length
  fireEvent.change(from, { target: { value: '0026-11-21' } })
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  fireEvent.blur(from)
  expect(screen.getByRole('alert')).toHaveTextContent('Not applied. Enter the year with four digits.')
  expect(from).toBeInvalid()
  expect(from).toHaveAccessibleDescription('Not applied. Enter the year with four digits.')
  expect(changes).toHaveLength(before)
  fireEvent.change(from, { target: { value: '1985-11-21' } })
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  expect(changes.at(-1)?.from).toBe('1985-11-21')
  vi.spyOn(from.validity, 'badInput', 'get').mockReturnValue(true)
  fireEvent.change(from, { target: { value: '' } })
  fireEvent.blur(from)
  expect(screen.getByRole('alert')).toHaveTextContent('Not applied. Enter the whole date.')
  expect(changes.at(-1)?.from).toBe('1985-11-21')
  expect(to).toBeValid()
})
