import { setTimeout as sleep } from 'node:timers/promises'
import { Api } from '../../tests/support/api.ts'
import { beginItem, follow, logInByForm, save, type Scene, titleField } from './scene.ts'

const ITEMS = '**/api/v1/items/**'
/** Code that loads after the first page. */
const DIALOGS = '**/assets/dialogs-*.js'

/** Failures that users meet in a browser. */
export const scenarios: Record<string, (scene: Scene) => Promise<void>> = {
  async 'offline and back'(scene) {
    const context = await scene.newContext()
    const { page, api } = await scene.open(context, await scene.newPerson('Ada'), '/items')
    await beginItem(page, 'Offline')
    await sleep(5_000)
    await context.setOffline(true)
    await save(page).click()
    await scene.sees(page, page.getByText('Something went wrong.'), 'an error message')
    scene.check((await titleField(page).inputValue()) === 'Offline', 'typed text is lost')
    await context.setOffline(false)
    await save(page).click()
    await scene.sees(page, page.getByRole('cell', { name: 'Offline' }), 'the new row')
    scene.check((await scene.rows(api, 'Offline')) === 1, 'the number of rows is not 1')
  },

  async 'offline while opening a page for the first time'(scene) {
    const context = await scene.newContext()
    const { page } = await scene.open(context, await scene.newPerson('Ada'), '/')
    // The application preloads the code of other pages after the first movement.
    await page.mouse.move(700, 600)
    await sleep(5_000)
    await context.setOffline(true)
    await follow(page, 'Items')
    await scene.sees(page, page.getByRole('heading', { name: 'Something went wrong!' }), 'the panel', 30_000)
    await context.setOffline(false)
    await scene.sees(page, page.getByRole('heading', { name: 'No items' }), 'the page')
  },

  async 'round trips of 2 s'(scene) {
    const context = await scene.newContext()
    const { page, api } = await scene.open(context, await scene.newPerson('Ada'), '/items')
    const network = await context.newCDPSession(page)
    await network.send('Network.enable')
    const slow = { offline: false, latency: 2_000, downloadThroughput: 50_000, uploadThroughput: 20_000 }
    await network.send('Network.emulateNetworkConditions', slow)
    await page.reload({ timeout: 60_000 })
    await scene.sees(page, page.getByRole('heading', { name: 'Items' }), 'the page', 60_000)
    await beginItem(page, 'Slow')
    await save(page).dblclick()
    await page.keyboard.press('Enter')
    await scene.sees(page, page.getByRole('cell', { name: 'Slow' }), 'the new row', 30_000)
    scene.check((await scene.rows(api, 'Slow')) === 1, 'the number of rows is not 1')
  },

  async 'the server responds with 500, then recovers'(scene) {
    const { page, api } = await scene.open(await scene.newContext(), await scene.newPerson('Ada'), '/')
    await api.createItem('Kept')
    await page.route(ITEMS, (route) => route.fulfill({ status: 500, json: { detail: 'Internal Server Error' } }))
    await follow(page, 'Items')
    await scene.sees(page, page.getByRole('heading', { name: 'Something went wrong!' }), 'the panel', 30_000)
    await page.unroute(ITEMS)
    await page.getByRole('button', { name: 'Try again' }).click()
    await scene.sees(page, page.getByRole('cell', { name: 'Kept' }), 'the list')
    await page.route(ITEMS, (route) => route.fulfill({ status: 500, json: { detail: 'Internal Server Error' } }))
    await beginItem(page, 'Again')
    await save(page).click()
    await scene.sees(page, page.getByText('Internal Server Error'), 'an error message')
    scene.check((await titleField(page).inputValue()) === 'Again', 'typed text is lost')
    await page.unroute(ITEMS)
    await save(page).click()
    await scene.sees(page, page.getByRole('cell', { name: 'Again' }), 'the new row')
    scene.check((await scene.rows(api, 'Again')) === 1, 'the number of rows is not 1')
  },

  async 'a lost response'(scene) {
    const { page, api } = await scene.open(await scene.newContext(), await scene.newPerson('Ada'), '/items')
    let sent = 0
    await page.route(ITEMS, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      sent += 1
      await route.fetch()
      await route.abort('connectionreset')
    })
    await beginItem(page, 'Lost')
    await save(page).click()
    await scene.sees(page, page.getByText('Something went wrong.'), 'an error message')
    await sleep(10_000)
    scene.check(sent === 1, `the change was sent ${sent} times`)
    scene.check((await scene.rows(api, 'Lost')) === 1, 'the number of rows is not 1')
    scene.check((await titleField(page).inputValue()) === 'Lost', 'typed text is lost')
    await Promise.all([page.waitForEvent('requestfailed'), save(page).click()])
    scene.check(sent === 2, `the change was sent ${sent} times`)
    scene.check((await scene.rows(api, 'Lost')) === 1, 'saving again creates a second row')
    await page.unroute(ITEMS)
    await titleField(page).fill('Found')
    await save(page).click()
    await scene.sees(page, page.getByRole('cell', { name: 'Found' }), 'the row')
    scene.check((await scene.rows(api, 'Found')) === 1, 'the row does not have the last typed text')
    scene.check((await scene.rows(api, 'Lost')) === 0, 'changing the text and saving creates a second row')
  },

  async 'a late response, after another page was opened'(scene) {
    const { page, api } = await scene.open(await scene.newContext(), await scene.newPerson('Ada'), '/')
    for (let index = 1; index <= 60; index += 1) await api.createItem(`Item ${index}`)
    await page.route('**/api/v1/items/?*skip=0*', async (route) => {
      await sleep(3_000)
      await route.continue().catch(() => undefined)
    })
    await page.goto('/items?page=2')
    await scene.sees(page, page.getByRole('cell', { name: 'Item 1', exact: true }), 'the second page')
    await page.getByRole('link', { name: 'previous' }).first().click()
    await page.goBack()
    await sleep(4_000)
    const last = await page.getByRole('cell', { name: 'Item 60', exact: true }).count()
    scene.check(last === 0 && page.url().includes('page=2'), 'the late response replaces the other page')
  },

  async 'a session revoked while a form is open'(scene) {
    const person = await scene.newPerson('Ada')
    const context = await scene.newContext()
    const { page, api } = await scene.open(context, person, '/items')
    await beginItem(page, 'Half written')
    await fetch(`${scene.url}/api/v1/logout`, { method: 'POST', headers: { authorization: `Bearer ${api.token}` } })
    await save(page).click()
    await page.waitForURL('**/login')
    await logInByForm(page, person)
    await page.getByRole('button', { name: 'Restore' }).click()
    scene.check((await titleField(page).inputValue()) === 'Half written', 'typed text is lost')
    await save(page).click()
    await scene.sees(page, page.getByRole('cell', { name: 'Half written' }), 'the new row')
  },

  async 'a session revoked while a form is open, then another user'(scene) {
    const ada = await scene.newPerson('Ada')
    const grace = await scene.newPerson('Grace')
    const { page, api } = await scene.open(await scene.newContext(), ada, '/items')
    await beginItem(page, 'A secret of Ada')
    await fetch(`${scene.url}/api/v1/logout`, { method: 'POST', headers: { authorization: `Bearer ${api.token}` } })
    await save(page).click()
    await page.waitForURL('**/login')
    await logInByForm(page, grace)
    await scene.sees(page, page.getByRole('heading', { name: 'Hi, Grace' }), 'the dashboard')
    scene.check((await page.getByRole('button', { name: 'Restore' }).count()) === 0, 'the other user’s text is offered')
    await follow(page, 'Items')
    await scene.sees(page, page.getByRole('heading', { name: 'No items' }), 'the list')
    const text = await page.content()
    scene.check(!text.includes('A secret of Ada'), 'the other user’s text is shown')
  },

  async 'two tabs, two users'(scene) {
    const context = await scene.newContext()
    const { page: first, api } = await scene.open(context, await scene.newPerson('Ada'), '/items')
    await api.createItem('A secret of Ada')
    await first.reload()
    await scene.sees(first, first.getByRole('cell', { name: 'A secret of Ada' }), 'the list')
    const grace = await Api.logIn(scene.url, await scene.newPerson('Grace'))
    const second = await scene.tab(context)
    await second.goto('/')
    await second.evaluate((token) => localStorage.setItem('access_token', token), grace.token)
    await second.reload()
    await scene.sees(second, second.getByRole('heading', { name: 'Hi, Grace' }), 'the second tab')
    await scene.sees(first, first.getByRole('heading', { name: 'No items' }), 'the first tab follows')
    scene.check(!(await first.content()).includes('A secret of Ada'), 'the first tab still shows the other user’s data')
    scene.check(!(await first.content()).includes('>Ada<'), 'the first tab still shows the other user’s name')
  },

  async 'a deploy while a tab is open'(scene) {
    const context = await scene.newContext()
    let loads = 0
    await context.route(DIALOGS, (route) => (loads === 0 ? route.fulfill({ status: 404 }) : route.continue()))
    const { page } = await scene.open(context, await scene.newPerson('Ada'), '/items')
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads += 1
    })
    await page.getByRole('button', { name: 'Add Item' }).click()
    await scene.sees(page, page.getByRole('dialog', { name: 'Add Item' }), 'the opened dialog')
    scene.check(loads === 1, `the page loaded ${loads} times`)
  },

  async 'a deploy while a form has changes'(scene) {
    const { page } = await scene.open(await scene.newContext(), await scene.newPerson('Ada', true), '/users?invite')
    await page.route('**/assets/papaparse*.js', (route) => route.fulfill({ status: 404 }))
    let loads = 0
    page.on('domcontentloaded', () => (loads += 1))
    const addresses = page.getByRole('dialog', { name: 'Invite User' }).getByLabel('Email')
    const typed = 'grace@example.com, alan@example.com'
    await addresses.fill(typed)
    await page.getByRole('button', { name: 'Review People' }).click()
    await sleep(3_000)
    scene.check(loads === 0, 'the page reloads and loses the form')
    scene.check((await addresses.inputValue()) === typed, 'typed text is lost')
  },
}
