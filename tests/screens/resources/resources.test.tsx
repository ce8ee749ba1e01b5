import { expect, test } from 'vitest'
import { screens } from '@/lib/screens'
import { hasPages } from '@/data/resources'
import { resources } from '@/lib/resources'
import { samples } from '../../support/samples'
import { testRowPage } from '../../support/test-row-page'
import { testScreen } from '../../support/test-screen'

test('each resource has a screen', () => {
  expect(samples.filter(({ table }) => !(`/${table}` in screens))).toEqual([])
})

for (const { tag } of resources) {
  testScreen(tag)
  if (hasPages(tag)) testRowPage(tag)
}
