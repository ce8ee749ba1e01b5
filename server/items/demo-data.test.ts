import { expect, test } from 'vitest'
import { demoRow } from '../../scripts/seed/rows/items.ts'

test('three in ten demo items have no description', () => {
  const items = Array.from({ length: 2000 }, (_, index) => demoRow(index, 120, 0))
  expect(items.filter(({ description }) => description === null).length / 2000).toBeCloseTo(0.3, 1)
})
