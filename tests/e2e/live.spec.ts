import type { Page } from '@playwright/test'
import { Api } from '../support/api.ts'
import { superuser } from '../support/running-server.ts'
import { anyResource } from '../support/samples.ts'
import { screenOf } from '../support/screen-sample.ts'
import { beginSession, expect, expectRow, test } from './fixtures.ts'

async function openWithStream(page: Page, path: string): Promise<void> {
  const opened = page.waitForResponse('**/api/v1/events')
  await page.goto(path)
  await opened
}

const titles = (page: Page) => page.locator('tbody [data-title]').allTextContents()

for (const sample of anyResource)
  test(
    `${sample.table} show what others do to them`,
    { tag: '@wide' },
    async ({ page, otherPage, newUser, server }) => {
      const { path, noun, fields } = screenOf(sample.table)
      const [name] = sample.searched
      const label = new RegExp(`^${fields[0].label}`)
      const person = await newUser()
      const api = await Api.logIn(server.url, person)
      for (const title of ['One', 'Two', 'Three']) await api.createRow(sample, { [name]: title })
      for (const each of [page, otherPage]) await beginSession(each, server, person)
      await openWithStream(page, path)
      await openWithStream(otherPage, path)

      await otherPage.getByRole('button', { name: 'Actions for Two', exact: true }).click()
      await otherPage.getByRole('menuitem', { name: 'Edit' }).click()
      await otherPage.getByRole('dialog').getByLabel(label).fill('Two, changed')
      await otherPage.getByRole('button', { name: 'Save' }).click()
      await expect.poll(() => titles(page)).toEqual(['Three', 'Two, changed', 'One'])

      await api.createRow(sample, { [name]: 'Four' })
      await expect(page.getByText(`· 1 new ${noun}`)).toBeVisible()
      expect(await titles(page)).toEqual(['Three', 'Two, changed', 'One'])
      await page.getByRole('button', { name: 'Show' }).click()
      await expect.poll(() => titles(page)).toEqual(['Four', 'Three', 'Two, changed', 'One'])

      await otherPage.getByRole('button', { name: 'Actions for One', exact: true }).click()
      await otherPage.getByRole('menuitem', { name: 'Delete' }).click()
      await otherPage.getByRole('button', { name: 'Delete' }).click()
      const deleted = page.getByRole('row').filter({ has: page.getByText('One', { exact: true }) })
      await expect(deleted).toHaveCSS('opacity', '0.5')
    },
  )

test(
  'all tabs of a browser share a stream, and another one takes it over',
  { tag: '@wide' },
  async ({ page, context, newUser, server }) => {
    const person = await newUser({ isSuperuser: true })
    let streams = 0
    context.on('request', (request) => {
      if (request.url().endsWith('/events')) streams += 1
    })
    await beginSession(page, server, person)
    await openWithStream(page, '/users')
    const first = await context.newPage()
    const others = [first, await context.newPage()]
    for (const other of others) await other.goto('/users')
    // A list that is read later has the new user in its rows.
    for (const each of [page, ...others]) await expectRow(each, { Email: person.email })
    await newUser()
    for (const each of [page, ...others]) await expect(each.getByText('· 1 new user')).toBeVisible()
    expect(streams).toBe(1)
    const taken = context.waitForEvent('response', (response) => response.url().endsWith('/events'))
    await page.close()
    await taken
    await newUser()
    await expect(first.getByText('· 2 new users')).toBeVisible()
  },
)

test(
  'a tab whose stream was refused leaves it to another',
  { tag: '@wide' },
  async ({ page, context, newUser, server }) => {
    await page.route('**/api/v1/events', (route) => route.fulfill({ status: 404, json: { detail: 'Not Found' } }))
    await beginSession(page, server, await newUser())
    await openWithStream(page, '/settings')
    const other = await context.newPage()
    const opened = other.waitForResponse('**/api/v1/events')
    await other.goto('/settings')
    expect((await opened).status()).toBe(200)
  },
)

test(
  'a session that ends elsewhere ends here at once',
  { tag: '@wide' },
  async ({ page, newUser, server, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/401/)
    const person = await newUser()
    await beginSession(page, server, person)
    await openWithStream(page, '/settings')
    const token = await page.evaluate(() => localStorage.getItem('access_token'))
    await fetch(`${server.url}/api/v1/logout`, { method: 'POST', headers: { Authorization: `Bearer ${token}` } })
    await expect(page.getByText('Your session has ended. Log in again.')).toBeVisible()
  },
)

test(
  'no network for a while loses nothing',
  { tag: '@wide' },
  async ({ page, newUser, server, context, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/ERR_INTERNET_DISCONNECTED|Failed to load/)
    await beginSession(page, server, superuser)
    await openWithStream(page, '/users')
    await context.setOffline(true)
    await newUser({ fullName: 'Meanwhile' })
    await context.setOffline(false)
    await expect(page.getByText('· 1 new user').or(page.getByText('Meanwhile')).first()).toBeVisible({
      timeout: 15_000,
    })
  },
)

test(
  'a restart of the server loses neither data nor session, and what changed meanwhile is shown',
  { tag: '@wide' },
  async ({ page, startOwnServer, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/Failed to load/)
    const first = await startOwnServer()
    await (await Api.logIn(first.url, superuser)).createUser({ fullName: 'Before' })
    await beginSession(page, first, superuser)
    await openWithStream(page, `${first.url}/users`)
    await first.stop()
    const second = await startOwnServer(first.dataDir, { PORT: new URL(first.url).port })
    await (await Api.logIn(second.url, superuser)).createUser({ fullName: 'Meanwhile' })
    await expect(page.getByText('· 1 new user').or(page.getByText('Meanwhile')).first()).toBeVisible({
      timeout: 15_000,
    })
    await page.reload()
    for (const name of ['Before', 'Meanwhile']) await expectRow(page, { 'Full Name': name, Role: 'User' })
  },
)
