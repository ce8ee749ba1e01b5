import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { enterState, states } from '../support/states.ts'
import { expect, test } from './fixtures.ts'

type AxeRules = 'all' | 'layout' | 'colours'

// Checks every state at every size, with mouse or touch. Each state is entered once, because the layout follows the
// window size without a reload.

const sizes: { width: number; height: number; pointer: 'mouse' | 'finger'; axeRules?: AxeRules }[] = [
  { width: 1280, height: 844, pointer: 'mouse', axeRules: 'all' },
  { width: 768, height: 1024, pointer: 'finger', axeRules: 'layout' },
  { width: 844, height: 390, pointer: 'finger', axeRules: 'layout' },
  { width: 390, height: 844, pointer: 'finger', axeRules: 'all' },
  // Same layout as at 390 px.
  { width: 320, height: 844, pointer: 'finger' },
]

/** The layout follows a change of the screen after a moment. */
const softly = expect.configure({ soft: true })

test.use({ contextOptions: { reducedMotion: 'reduce' } })

for (const state of states) {
  test(
    `${state.name} is accessible and fits every screen`,
    { tag: '@wide' },
    async ({ page, scene, expectedConsoleErrors }) => {
      expectedConsoleErrors.push(/status of 4(0[049]|12)/, /ApiError: Conflict/)
      const devtools = await page.context().newCDPSession(page)
      if (state.narrowOnly) await page.setViewportSize({ width: 390, height: 844 })
      await enterState(page, state, scene[state.as])
      for (const { width, height, pointer, axeRules } of sizes) {
        if (state.narrowOnly && width >= 768) continue
        await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: pointer === 'finger' })
        await page.setViewportSize({ width, height })
        const where = `${state.name}, ${width} × ${height}`
        await softly.poll(() => overflows(page), { message: where }).toEqual([])
        if (pointer === 'finger') {
          await softly.poll(() => smallTargets(page), { message: where }).toEqual([])
          await softly.poll(() => zoomingInputs(page), { message: where }).toEqual([])
        }
        if (axeRules === undefined) continue
        expect.soft(await axeFaults(page, axeRules), where).toEqual([])
        if (axeRules === 'layout') continue
        // The dark theme differs only in colours.
        await setTheme(page, 'dark')
        expect.soft(await axeFaults(page, 'colours'), `${where}, dark`).toEqual([])
        await setTheme(page, 'light')
      }
      // WCAG 1.4.12: text spacing must not cut off text.
      await page.addStyleTag({ content: '* { letter-spacing: .12em; word-spacing: .16em; line-height: 1.5 }' })
      expect.soft(await overflows(page), `${state.name} with text spaced out`).toEqual([])
    },
  )
}

async function setTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await expect(page.locator('html')).toHaveClass(theme)
}

/** Finds a page that scrolls sideways, and texts that are cut off without an ellipsis. */
function overflows(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const cut = Array.from(document.querySelectorAll<HTMLElement>('td, th, button, label, h1, h2, p'))
      .filter((element) => getComputedStyle(element).textOverflow !== 'ellipsis' && !element.closest('.sr-only'))
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1)
      .map((element) => `cut off: ${element.outerHTML.slice(0, 120)}`)
    return scrollWidth > clientWidth ? ['the page scrolls sideways', ...cut] : cut
  })
}

/** Violations of WCAG 2.2 A and AA, as text. */
async function axeFaults(page: Page, which: AxeRules): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const violations = await page.evaluate(async (of) => {
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    // Rules about the whole page do not apply while it loads or while a dialog or menu is open.
    const setAside = document.querySelector('[role=dialog], [role=menu], main[aria-busy=true]') !== null
    const pageRules = ['page-has-heading-one', 'landmark-one-main', 'region']
    const rules = Object.fromEntries(pageRules.map((rule) => [rule, { enabled: !setAside }]))
    // The contrast rule takes longer than all others.
    if (of === 'layout') rules['color-contrast'] = { enabled: false }
    // The headings of cards have their text from CSS, which axe does not read.
    rules['empty-table-header'] = { enabled: false }
    const results = await (window as unknown as { axe: typeof axe }).axe.run(
      // All rows of a table are alike.
      { exclude: 'tbody tr:nth-child(n + 9)' },
      of === 'colours' ? { runOnly: ['color-contrast'] } : { runOnly: tags, rules },
    )
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
  }, which)
  return violations
}

/** Finds targets smaller than 44 px. Links within text are exempt (WCAG 2.5.8). */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(
      document.querySelectorAll<HTMLElement>(
        'a[href], button:not(:disabled), [role=menuitem], [role=tab], input, textarea',
      ),
    )
      .filter((element) => element.checkVisibility() && !element.closest('[aria-hidden=true], [data-sonner-toast]'))
      .filter((element) => !(element.tagName === 'A' && element.closest('[class*=bg-muted] div')))
      .map((element) => element.closest('label') ?? element)
      .filter((element) => !['checkbox', 'radio'].includes((element as HTMLInputElement).type))
      .flatMap((element) => {
        const { width, height } = element.getBoundingClientRect()
        return width < 43.5 || height < 43.5
          ? [`${Math.round(width)}×${Math.round(height)}: ${element.outerHTML.slice(0, 160)}`]
          : []
      }),
  )
}

/** Finds fields with text below 16 px, on which phones zoom in. */
function zoomingInputs(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll<HTMLElement>('input:not([hidden]), textarea'))
      .filter((element) => Number.parseFloat(getComputedStyle(element).fontSize) < 16)
      .filter((element) => !['checkbox', 'radio'].includes((element as HTMLInputElement).type))
      .map((element) => element.outerHTML.slice(0, 160)),
  )
}
