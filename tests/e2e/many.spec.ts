import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { listAction } from '../support/gestures.ts'
import { superuser } from '../support/running-server.ts'
import { bar, box, rows } from '../support/selected-rows.ts'
import { beginSession, expect, expectRow, expectToast, test } from './fixtures.ts'

test(
  'people of a CSV file are invited once; their export can be imported; all of them are deactivated',
  { tag: '@wide' },
  async ({ page, startOwnServer }) => {
    // A separate server, because other tests expect shorter lists.
    const server = await startOwnServer()
    const company = `${randomUUID().slice(0, 8)}.example`
    const lines = Array.from({ length: 55 }, (_, index) => `Person ${index};person${index}@${company}`)
    await beginSession(page, server, superuser)
    await page.goto(`${server.url}/users`)
    await importAndDeactivate(page, company, lines)
  },
)

async function importAndDeactivate(page: Page, company: string, lines: string[]): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Import CSV' })
  const choose = async (text: string) => {
    const buffer = Buffer.from(text)
    await page.getByLabel('CSV file').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
  }
  await listAction(page, 'Import CSV')
  await choose(`full_name;email\n${lines.join('\n')}\nNobody;nobody@`)
  await expect(dialog.getByRole('status')).toHaveText('55 invitations, 1 row is not valid')
  await expect(dialog.getByLabel('Email, line 57')).toHaveValue('nobody@')
  await dialog.getByRole('button', { name: 'Back' }).click()
  const field = dialog.getByLabel('File content')
  const shown = await field.evaluate((area: HTMLTextAreaElement) => ({
    selected: area.value.slice(area.selectionStart, area.selectionEnd),
    isScrolled: area.scrollTop > 0,
  }))
  expect(shown).toEqual({ selected: 'Nobody;nobody@', isScrolled: true })
  await choose(`full_name;email\n${lines.join('\n')}`)
  await dialog.getByRole('button', { name: 'Invite 55' }).click()
  await expect(dialog.getByRole('button', { name: 'Copy All' })).toBeFocused()
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download Links' }).click()
  const links = readFileSync(await (await saved).path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(links).toHaveLength(56)
  expect(links[55]).toMatch(/^person54@[^,]+,Person 54,http[^,]+accept-invitation\?token=[\w-]{43}$/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()

  await page.getByRole('searchbox').fill(company)
  await expect(page.getByRole('status').filter({ hasText: 'of 55 users' })).toBeVisible()
  await expectRow(page, { 'Full Name': 'Person 54', Status: 'Invited' })
  const download = page.waitForEvent('download')
  await listAction(page, 'Export CSV')
  const exported = readFileSync(await (await download).path(), 'utf8')
  await listAction(page, 'Import CSV')
  await choose(exported)
  await expect(dialog.getByRole('status')).toHaveText('0 invitations, 55 already have an account')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await box(page, 'Select all on this page').click()
  await bar(page).getByRole('button', { name: 'Select all 55 that match' }).click()
  await bar(page).getByRole('button', { name: 'Deactivate' }).click()
  const question = page.getByRole('dialog')
  await question.getByLabel('Type 55 to confirm').fill('55')
  await question.getByRole('button', { name: 'Deactivate 55 users' }).click()
  await expectToast(page, '55 users deactivated.')
  await expectRow(page, { 'Full Name': 'Person 54', Status: 'Inactive' })
}

test('on a phone, rows are selected in the cards', { tag: '@phone' }, async ({ page, server, newUser }) => {
  const fullName = `Ben ${randomUUID().slice(0, 8)}`
  await newUser({ fullName })
  const { email } = await newUser({ fullName })
  await beginSession(page, server, superuser)
  await page.goto(`/users?q=${encodeURIComponent(fullName)}`)
  await listAction(page, 'Select')
  await rows(page).filter({ hasText: email }).getByRole('link').tap()
  await expect(box(page, `Select ${email}`)).toBeChecked()
  await expect(bar(page)).toContainText('1 selected.')
  await bar(page).getByRole('checkbox', { name: 'All on this page' }).check()
  await bar(page).getByRole('button', { name: 'Deactivate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate 2 users' }).click()
  await expectToast(page, '2 users deactivated.')
  await expect(rows(page).filter({ hasText: 'Inactive' })).toHaveCount(2)
})
