import { expect, test } from 'vitest'
import { screens } from '@/lib/screens'
import { samples } from '../../support/samples'
import { testScreen } from '../../support/test-screen'

test('each resource has a screen', () => {
  expect(samples.filter(({ table }) => !(`/${table}` in screens))).toEqual([])
})

for (const { table } of samples) testScreen(table)
