import type { Page } from '@playwright/test'

export const bar = (page: Page) => page.getByRole('region', { name: /^Selected/ })

export const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })

export const rows = (page: Page) => page.locator('tbody tr')
