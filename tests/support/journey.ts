import type { Page } from '@playwright/test'
import { expect, expectRow, expectToast, goTo, test } from '../e2e/fixtures.ts'
import { listAction } from './gestures.ts'
import { Api } from './api.ts'
import { ask } from './http.ts'
import { linkedRow, makeRow } from './samples.ts'
import { screenOf, type ScreenSample } from './screen-sample.ts'

const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export function testJourney(table: string): void {
  const sample = screenOf(table)
  const { path, title, noun, Noun, fields, files } = sample
  const [name] = fields
  const row = Object.fromEntries(fields.map(({ label, shown }) => [label, shown]))

  test(`${title}: add a row, find it after a reload, export, edit and delete it`, async ({
    page,
    newUser,
    loginAs,
    server,
  }) => {
    const person = await newUser()
    await createLinkedRows(server.url, (await Api.logIn(server.url, person)).token, sample)
    await loginAs(person)
    await goTo(page, title)
    await page.getByRole('button', { name: `Add ${Noun}` }).click()
    for (const { label, text } of fields) {
      const input = page.getByRole('dialog').getByLabel(fieldName(label))
      const isSelect = (await input.evaluate(({ tagName }) => tagName)) === 'SELECT'
      const save = page.getByRole('button', { name: 'Save' })
      const before = await save.boundingBox()
      await (text === true ? input.check() : isSelect ? input.selectOption(text) : input.fill(text))
      if ((await input.getAttribute('role')) === 'combobox') {
        const option = page.getByRole('option', { name: String(text) }).first()
        await expect(option).toBeInViewport()
        // The form does not move, because the options open over it.
        expect(await save.boundingBox()).toEqual(before)
        await option.click()
      }
      if ((await input.getAttribute('type'))?.startsWith('date')) {
        await input.focus()
        for (const key of ['ArrowRight', 'ArrowRight', 'Backspace']) await page.keyboard.press(key)
        await input.blur()
        await expect(input).toHaveAccessibleDescription(/^Enter the whole date/)
        await input.fill(String(text))
      }
    }
    for (const { label } of files) {
      const picture = Buffer.from(PICTURE, 'base64')
      const chosen = { name: `${label}.png`, mimeType: 'image/png', buffer: picture }
      await page.getByRole('dialog').getByLabel(label, { exact: true }).setInputFiles(chosen)
      await expect(page.getByRole('dialog').locator('img')).toBeVisible()
    }
    await page.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, `${Noun} created successfully.`)
    await showAllColumns(page)
    await expectRow(page, row)
    const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(await tooWide()).toBeLessThanOrEqual(0)
    for (const { label } of files) {
      const file = page.getByRole('button', { name: `${label}.png` })
      // A card shows few fields. The page of the row, or its dialog, has all.
      if (!(await file.isVisible())) await page.getByRole('link', { name: name.shown }).click()
      const saved = page.waitForEvent('download')
      await file.click()
      expect((await saved).suggestedFilename()).toBe(`${label}.png`)
    }

    await page.goto(`${path}?q=${encodeURIComponent(name.shown)}`)
    await expect(page.getByRole('status')).toHaveText(`1 ${noun}`)
    await expectRow(page, row)
    const download = page.waitForEvent('download')
    await listAction(page, 'Export CSV')
    expect((await download).suggestedFilename()).toMatch(new RegExp(`^${path.slice(1)}-.*\\.csv$`))

    await choose(page, name.shown, 'Edit')
    await page.getByLabel(fieldName(name.label)).fill('Changed')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, `${Noun} updated successfully.`)
    await page.goto(path)
    await choose(page, 'Changed', 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('heading', { name: `No ${title.toLowerCase()}` })).toBeVisible()
  })
}

/** @param least the row with only its required values @returns ids of the linked rows, by field */
async function createLinkedRows(
  url: string,
  token: string,
  { linked }: ScreenSample,
  least: Record<string, unknown> = {},
): Promise<Record<string, string | null>> {
  const ids: Record<string, string | null> = {}
  const made = new Map<string, string>()
  for (const { field, name, to } of linked) {
    const screen = screenOf(to)
    const { path, body } = screen
    if (least[field] === null) {
      ids[field] = null
      continue
    }
    const known = made.get(path)
    if (known !== undefined) {
      ids[field] = known
      continue
    }
    const others = await createLinkedRows(url, token, screen, makeRow(to))
    const json = { ...body, ...others, [name]: linkedRow.name }
    const { status, body: answer } = await ask('POST', `${url}/api/v1${path}/`, { token, json })
    expect(status).toBe(200)
    const { id } = JSON.parse(answer) as { id: string }
    made.set(path, id)
    ids[field] = id
  }
  return ids
}

/** A list shows at first only the columns that fit. */
export async function showAllColumns(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Columns' })
  // Roles of the page are hidden until the dialog has closed.
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  if (!(await button.isVisible())) return
  await button.click()
  await page.getByRole('menu').waitFor()
  for (const name of await page.getByRole('menuitemcheckbox', { checked: false }).allTextContents())
    await page.getByRole('menuitemcheckbox', { name, exact: true }).click()
  await page.keyboard.press('Escape')
}

const fieldName = (label: string) => new RegExp(`^${label}( \\*)?$`)

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
