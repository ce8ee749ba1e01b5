import { expect, type Page } from '@playwright/test'

type Role = Parameters<Page['getByRole']>[0]

export async function tabTo(page: Page, role: Role, name: string | RegExp, key = 'Tab'): Promise<void> {
  const target = page.getByRole(role, { name }).first()
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  await expect(target).toBeFocused()
}

export async function chooseByArrow(page: Page, first: string, ...others: string[]): Promise<void> {
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: first })).toBeFocused()
  for (const name of others) {
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name })).toBeFocused()
  }
  await page.keyboard.press('Enter')
}

export const type = (page: Page, text: string) => page.keyboard.type(text)

export const press = (page: Page, key: string) => page.keyboard.press(key)
