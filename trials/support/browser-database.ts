import { setTimeout as sleep } from 'node:timers/promises'
import { beginItem, dialog, follow, save, type Scene, titleField } from './scene.ts'
import type { TcpProxy } from '../../tests/support/tcp-proxy.ts'

/** Scenarios with a database that this proxy makes unavailable. */
export function databaseAway(proxy: TcpProxy): Record<string, (scene: Scene) => Promise<void>> {
  return {
    async 'the database unavailable for 4 s while a list opens'(scene) {
      const person = await scene.newPerson('Ada')
      const { page, api } = await scene.open(await scene.newContext(), person, '/')
      await api.createItem('Kept')
      proxy.cut()
      await follow(page, 'Items')
      await sleep(4_000)
      proxy.heal()
      await scene.sees(page, page.getByRole('cell', { name: 'Kept' }), 'the list, automatically')
    },

    async 'the database unavailable for 15 s with a form open'(scene) {
      const person = await scene.newPerson('Ada')
      const { page, api } = await scene.open(await scene.newContext(), person, '/items')
      await beginItem(page, 'Kept')
      proxy.cut()
      await save(page).click()
      await scene.sees(page, page.getByText('Service temporarily unavailable'), 'an error message')
      scene.check((await titleField(page).inputValue()) === 'Kept', 'typed text is lost')
      await page.keyboard.press('Escape')
      await page.goto('/')
      await sleep(15_000)
      proxy.heal()
      scene.check(!page.url().endsWith('/login'), 'the person is logged out')
      await scene.sees(page, page.getByRole('heading', { name: 'Hi, Ada' }), 'the dashboard, automatically', 30_000)
      await follow(page, 'Items')
      await beginItem(page, 'Kept')
      await save(page).click()
      await dialog(page).waitFor({ state: 'hidden' })
      await scene.sees(page, page.getByRole('cell', { name: 'Kept' }), 'the new row')
      scene.check((await scene.rows(api, 'Kept')) === 1, 'the number of rows is not 1')
    },
  }
}
