import type { Browser, BrowserContext, Page } from '@playwright/test'
import { Api, type Person } from '../../tests/support/api.ts'

const WAIT_MS = 15_000

/** The users and tabs of a scenario, and its faults. */
export class Scene {
  readonly faults: string[] = []
  readonly url: string
  private readonly browser: Browser
  private readonly root: Api

  constructor(url: string, browser: Browser, root: Api) {
    this.url = url
    this.browser = browser
    this.root = root
  }

  newPerson(fullName: string, isSuperuser = false): Promise<Person> {
    return this.root.createUser({ fullName, isSuperuser })
  }

  newContext(): Promise<BrowserContext> {
    return this.browser.newContext({ baseURL: this.url })
  }

  /** Opens a tab for a logged-in person. */
  async open(context: BrowserContext, person: Person, path: string): Promise<{ page: Page; api: Api }> {
    const api = await Api.logIn(this.url, person)
    const page = await this.tab(context)
    await page.goto('/login')
    await page.evaluate((token) => localStorage.setItem('access_token', token), api.token)
    await page.goto(path)
    await this.sees(page, page.getByRole('heading', { level: 1 }), `the page at ${path}`)
    return { page, api }
  }

  async tab(context: BrowserContext): Promise<Page> {
    const page = await context.newPage()
    page.setDefaultTimeout(WAIT_MS)
    page.on('pageerror', (error) => this.faults.push(`uncaught error: ${error.message}`))
    return page
  }

  check(holds: boolean, otherwise: string): void {
    if (!holds) this.faults.push(otherwise)
  }

  async sees(page: Page, what: ReturnType<Page['locator']>, name: string, timeout = WAIT_MS): Promise<void> {
    const seen = await what
      .first()
      .waitFor({ timeout })
      .then(() => true)
      .catch(() => false)
    if (seen) return
    const text = await page.evaluate(() => document.body.innerText).catch(() => 'no page')
    this.check(false, `${name} does not appear; the page shows: ${JSON.stringify(text.slice(0, 200))}`)
  }

  /** The number of a person's items with this title. */
  async rows(api: Api, title: string): Promise<number> {
    const { data } = await api.get<{ data: { title: string }[] }>('/items/?limit=100')
    return data.filter((item) => item.title === title).length
  }
}

export const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add Item' })
export const titleField = (page: Page) => dialog(page).getByLabel('Title')
export const save = (page: Page) => dialog(page).getByRole('button', { name: 'Save' })

export async function beginItem(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Add Item' }).first().click()
  await titleField(page).fill(title)
}

export async function follow(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
}

export async function logInByForm(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}
