import { expect, test } from 'vitest'
import { startEditing } from '../../support/edit-forms'
import { itemForm } from '../../support/items/edit-form'
import { expectToast } from '../../support/render-app'

test('SPEC 7: without entity tags, an item keeps a concurrent change of the field that was left alone', async () => {
  const { actor, row, save, writes } = await startEditing(itemForm, false)
  Object.assign(row, { description: 'By them' })
  await actor.click(save())
  await expectToast('Item updated successfully.')
  expect(writes().map(({ body }) => body)).toEqual([{ title: 'Notes by me', description: 'By them' }])
})
