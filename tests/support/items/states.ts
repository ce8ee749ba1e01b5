import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { answer, button, dialogButton, fill, leave, rowAction, rowMenu } from '../gestures.ts'
import type { State } from '../state.ts'

export const itemLists = ['items', 'items-empty']

export const itemSheets = ['add-item', 'edit-item', 'delete-item']

export const itemStates: State[] = [
  { name: 'items', isPictureOnly: true, as: 'user', url: '/items' },
  { name: 'items-last-page', isPictureOnly: true, as: 'user', url: '/items?page=9' },
  { name: 'items-found', isPictureOnly: true, as: 'user', url: '/items?q=purchase+batch&sort=-title&page=2' },
  { name: 'items-not-found', isPictureOnly: true, as: 'user', url: '/items?q=no+such+thing' },
  {
    name: 'items-of-an-owner',
    isPictureOnly: true,
    as: 'superuser',
    url: '/items?owner_id=01890000-0000-7000-8000-00000000beef',
  },
  {
    name: 'items-loading',
    isPictureOnly: true,
    as: 'user',
    url: '/items',
    intercept: answer('items/**'),
    act: (page) => page.locator('main[aria-busy=true]').waitFor(),
  },
  {
    name: 'items-error',
    isPictureOnly: true,
    as: 'user',
    url: '/items',
    intercept: answer('items/**', { status: 404, json: {} }),
    act: button('Show Error'),
  },
  {
    name: 'items-changed',
    as: 'user',
    url: '/items',
    intercept: changeMeanwhile,
    act: (page) => page.getByText('· 3 new items').waitFor(),
  },
  { name: 'items-row-menu', as: 'user', url: '/items', act: rowMenu },
  {
    name: 'add-item-invalid',
    as: 'user',
    url: '/items',
    act: async (page) => {
      await dialogButton('Add Item')(page)
      await fill(page, 'Title', ' ')
      await leave(page)
      await page.getByText('Title is required.').waitFor()
    },
  },
  { name: 'edit-item', isPictureOnly: true, as: 'user', url: '/items', act: (page) => rowAction(page, 'Edit') },
  {
    name: 'edit-item-invalid',
    as: 'user',
    url: '/items',
    act: async (page) => {
      await rowAction(page, 'Edit')
      await fill(page, 'Title', '')
      await page.keyboard.press('Enter')
      await page.getByText('Title is required').waitFor()
    },
  },
  {
    name: 'edit-item-conflict',
    as: 'user',
    url: '/items',
    intercept: (page) => {
      let isChanged = false
      return page.route('**/api/v1/items/*-*', async (route) => {
        if (route.request().method() === 'PUT') {
          isChanged = true
          return route.fulfill({ status: 412, json: {} })
        }
        const response = await route.fetch()
        const item = (await response.json()) as object
        const theirs = { title: 'Garden plan, as Ben sees it', description: 'No gravel. '.repeat(60) }
        return route.fulfill({ response, json: isChanged ? { ...item, ...theirs } : item })
      })
    },
    act: async (page) => {
      await rowAction(page, 'Edit')
      await fill(page, 'Title', 'Garden plan, second edition')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'delete-item', isPictureOnly: true, as: 'user', url: '/items', act: (page) => rowAction(page, 'Delete') },
  {
    name: 'delete-item-failed',
    as: 'user',
    url: '/items',
    intercept: answer('items/*-*', { status: 409, json: { detail: 'Not now' } }),
    act: async (page) => {
      await rowAction(page, 'Delete')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('An error occurred while deleting the item').waitFor()
    },
  },
]

async function changeMeanwhile(page: Page): Promise<void> {
  let isChanged = false
  const newIds = [randomUUID(), randomUUID(), randomUUID()]
  await page.route('**/api/v1/items/?*', async (route) => {
    const response = await route.fetch()
    const { data, count } = (await response.json()) as { data: { id: string }[]; count: number }
    const added = newIds.map((id) => ({ ...data[0], id }))
    const [first, , ...rest] = data
    const changed = { data: [...added, first, ...rest], count: count + 2 }
    await route.fulfill({ response, json: isChanged ? changed : { data, count } })
  })
  await page.route('**/api/v1/events', async (route) => {
    // Stays open without an event: the first stream has reported the changes.
    if (isChanged) return
    const second = page.locator('main:not([aria-busy=true]) tbody tr').nth(1)
    const id = await second.getAttribute('data-row')
    isChanged = true
    const body = `event: hello\ndata: {}\n\nevent: change\ndata: ${JSON.stringify({ resource: 'items', id, version: null })}\n\n`
    await route.fulfill({ contentType: 'text/event-stream', body })
  })
}
