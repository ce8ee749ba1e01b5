import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseSettings } from '../support/database.ts'
import { removeData } from '../support/running-server.ts'
import { expect, expectRow, expectToast, goTo, logIn, openUserMenu, test } from './fixtures.ts'

test('log in, add the first item, reload, log out', { tag: '@wide' }, async ({ page, newUser }) => {
  const ada = await newUser({ fullName: 'Ada Lovelace' })
  await page.goto('/items')
  await expect(page).toHaveURL(/\/login$/)

  await logIn(page, ada)
  await expect(page.getByRole('heading', { name: 'Hi, Ada Lovelace' })).toBeFocused()
  await expect(page).toHaveTitle('Dashboard - Steward')

  await goTo(page, 'Items')
  await expect(page.getByRole('heading', { name: 'No items' })).toBeVisible()
  await page.getByRole('button', { name: 'Add Item' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Item' })
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await dialog.getByLabel('Title').fill('Garden plan')
  await dialog.getByLabel('Description').fill('Beds and paths')
  const created = page.waitForResponse((response) => response.request().method() === 'POST')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const { id } = (await (await created).json()) as { id: string }
  await expectToast(page, 'Item created successfully.')
  await expect(dialog).toBeHidden()

  const row = { ID: id.slice(-4), Title: 'Garden plan', Description: 'Beds and paths' }
  await expectRow(page, row)
  await page.reload()
  await expectRow(page, row)

  await openUserMenu(page, 'Ada Lovelace')
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
})

test('npm start serves the application, and the server stops with npm', { tag: '@wide' }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'steward-'))
  const settings = { PORT: '0', DATA_DIR: dataDir, ...(await databaseSettings(dataDir)) }
  const npm = spawn('npm', ['start'], { env: { ...process.env, ...settings } })
  let output = ''
  npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const address = () => /^Steward is ready at (\S+)$/m.exec(output)?.[1]
  await expect.poll(address).toBeDefined()
  expect(output).toMatch(/^The first superuser is admin@example.com\nTheir password is \S+ \(shown only this once\)$/m)
  expect((await fetch(`${address()}/readyz`)).status).toBe(200)

  npm.kill('SIGTERM')
  const isUp = () =>
    fetch(`${address()}/livez`).then(
      () => true,
      () => false,
    )
  await expect.poll(isUp).toBe(false)
  removeData(dataDir)
})
