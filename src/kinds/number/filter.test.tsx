import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { readDecimal } from '@/lib/number-text'
import { FilterNumbers } from './filter'

function renderFilter(first: { from?: string; to?: string } = {}) {
  const changes: object[] = []
  function Filter() {
    const [numbers, setNumbers] = useState<{ from: string | undefined; to: string | undefined }>({
      from: first.from,
      to: first.to,
    })
    return (
      <FilterNumbers
        label="Price"
        {...numbers}
        read={(typed) => readDecimal(typed, 2)}
        onChange={(next) => {
          changes.push(next)
          setNumbers(next)
        }}
      />
    )
  }
  render(<Filter />)
  return { changes, select: screen.getByRole('combobox', { name: 'Price' }), actor: userEvent.setup() }
}

test('numbers filter when a field is left or on Enter, in their one form', async () => {
  const { changes, select, actor } = renderFilter()
  expect(screen.queryByLabelText('From')).not.toBeInTheDocument()
  await actor.selectOptions(select, 'range')
  await actor.type(screen.getByLabelText('From'), '7.5')
  expect(changes).toEqual([])
  await actor.tab()
  expect(changes).toEqual([{ from: '7.50', to: undefined }])
  expect(screen.getByLabelText('From')).toHaveValue('7.50')
  await actor.type(screen.getByLabelText('To'), '9{Enter}')
  expect(changes.at(-1)).toEqual({ from: '7.50', to: '9.00' })
})

test.each([
  ['75-', 'Must be a number with at most 2 digits after the point'],
  ['1,234', 'Must be a number without separators of thousands, such as 1234.50'],
  ['1'.repeat(14), 'Number must have at most 13 digits before the point'],
])('%s does not filter, and says so', (typed, problem) => {
  const { changes } = renderFilter({ from: '1.00' })
  const from = screen.getByLabelText('From')
  fireEvent.change(from, { target: { value: typed } })
  fireEvent.blur(from)
  expect(from).toBeInvalid()
  expect(from).toHaveValue(typed)
  expect(screen.getByRole('alert')).toHaveTextContent(`Not applied. ${problem}.`)
  expect(from).toHaveAccessibleDescription(`Not applied. ${problem}.`)
  expect(changes).toEqual([])
  fireEvent.change(from, { target: { value: '' } })
  fireEvent.blur(from)
  expect(from).toBeValid()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  expect(changes).toEqual([{ from: undefined, to: undefined }])
})

test('numbers are typed as people write them, also negative ones', () => {
  const { changes } = renderFilter({ from: '1.00' })
  const from = screen.getByLabelText('From')
  expect(from).not.toHaveAttribute('inputmode')
  fireEvent.change(from, { target: { value: ' −１２,5 ' } })
  fireEvent.blur(from)
  expect(changes).toEqual([{ from: '-12.50', to: undefined }])
  fireEvent.change(from, { target: { value: '-12,5' } })
  fireEvent.blur(from)
  expect(from).toHaveValue('-12.50')
  expect(changes).toHaveLength(1)
})

test('any number again removes both ends', async () => {
  const { changes, select, actor } = renderFilter({ to: '1.00' })
  expect(select).toHaveValue('range')
  await actor.selectOptions(select, '')
  expect(changes).toEqual([{ from: undefined, to: undefined }])
  expect(screen.queryByLabelText('To')).not.toBeInTheDocument()
})
