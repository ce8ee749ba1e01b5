import { screen, within } from '@testing-library/react'

export const peopleCells = (): (string | null)[][] =>
  within(screen.getByRole('table', { name: 'People' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .slice(0, -1)
        .map((cell) => cell.querySelector<HTMLInputElement>('input, select')?.value ?? cell.textContent),
    )
