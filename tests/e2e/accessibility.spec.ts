import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { enterState, states } from '../support/states.ts'
import { expect, test } from './fixtures.ts'

// States × themes × widths. The page is entered once for each state and then looked at in every light and from every width:
// the layout follows the window without a reload, as it does when a phone is turned.

const themes = ['light', 'dark'] as const
const widths = [1280, 390, 320]

test.use({ contextOptions: { reducedMotion: 'reduce' } })

for (const state of states) {
  // The grid sets its own widths: once is enough.
  test(
    `${state.name} has no accessibility fault and no sideways scroll`,
    { tag: '@wide' },
    async ({ page, scene, expectedConsoleErrors }) => {
      expectedConsoleErrors.push(/status of 4(0[049]|12)/, /ApiError: Conflict/)
      if (state.narrowOnly) await page.setViewportSize({ width: 390, height: 844 })
      await enterState(page, state, scene[state.as])
      for (const width of state.narrowOnly ? widths.slice(1) : widths) {
        await page.setViewportSize({ width, height: 844 })
        // At 320 px there is the same as at 390 px, with less room.
        for (const colorScheme of width === 320 ? [] : themes) {
          await page.emulateMedia({ colorScheme })
          await expect.soft(page.locator('html')).toHaveClass(colorScheme)
          expect.soft(await axeFaults(page), `${state.name}, ${colorScheme}, ${width} px`).toEqual([])
        }
        expect.soft(await overflows(page), `${state.name} at ${width} px`).toEqual([])
      }
      // WCAG 1.4.12: whoever spaces text out loses nothing of it.
      await page.addStyleTag({ content: '* { letter-spacing: .12em; word-spacing: .16em; line-height: 1.5 }' })
      expect.soft(await overflows(page), `${state.name} with text spaced out`).toEqual([])
    },
  )
}

/** What does not fit: the page where it scrolls sideways, and texts that are cut off without saying so. */
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

/** WCAG 2.2 A and AA, in words. */
async function axeFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const violations = await page.evaluate(async () => {
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    // Rules about the page as a whole, which is set aside while something lies over it or nothing is there yet.
    const setAside = document.querySelector('[role=dialog], [role=menu], main[aria-busy=true]') !== null
    const pageRules = ['page-has-heading-one', 'landmark-one-main', 'region']
    const rules = Object.fromEntries(pageRules.map((rule) => [rule, { enabled: !setAside }]))
    const results = await (window as unknown as { axe: typeof axe }).axe.run({ runOnly: tags, rules })
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
  })
  return violations
}
