import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import { enterState, states } from '../support/states.ts'
import { expect, test } from './fixtures.ts'

// The layout follows the size of the window without a reload, so each state is opened once for all sizes.

interface Size {
  width: number
  height: number
  pointer: 'mouse' | 'finger'
  /** Themes in which all rules are checked. Sizes without themes show the same elements in other places. */
  themes?: ['light', 'dark'] | ['dark']
}

const sizes: Size[] = [
  { width: 1280, height: 844, pointer: 'mouse', themes: ['light', 'dark'] },
  { width: 768, height: 1024, pointer: 'finger' },
  { width: 844, height: 390, pointer: 'finger' },
  { width: 320, height: 844, pointer: 'finger' },
  { width: 390, height: 844, pointer: 'finger', themes: ['dark'] },
]

/** Accepts a menu as a landmark, because it has a name and a button that leads to it. */
const axeSpec: axe.Spec = {
  checks: [
    {
      id: 'region',
      options: { regionMatcher: 'dialog, [role=dialog], [role=alertdialog], [role=menu], svg' },
    },
  ],
}
const axeSource = `${readFileSync('node_modules/axe-core/axe.min.js', 'utf8')};axe.configure(${JSON.stringify(axeSpec)})`

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const allRules: axe.RunOptions = { runOnly: axeTags }
const contrastOnly: axe.RunOptions = { runOnly: ['color-contrast'] }
const placesOnly: axe.RunOptions = { runOnly: ['target-size', 'scrollable-region-focusable'] }

/** Continues after a failure, so that one run reports all faults of a state. */
const softExpect = expect.configure({ soft: true })

for (const state of states.filter(({ isPictureOnly }) => !isPictureOnly)) {
  test(
    `${state.name} is accessible and fits every screen`,
    { tag: '@wide' },
    async ({ page, scene, expectedConsoleErrors }) => {
      expectedConsoleErrors.push(/status of 4(0[049]|12|23)/, /ApiError: Conflict/)
      const devtools = await page.context().newCDPSession(page)
      if (state.narrowOnly) await page.setViewportSize({ width: 390, height: 844 })
      await enterState(page, state, scene[state.as])
      // At some scroll positions, sticky elements cover half of others.
      await page.addStyleTag({ content: '[class*=sticky] { position: static !important }' })
      // Removes rows that look like those before, or that a dialog hides, to save time.
      const more = 'tbody tr:nth-child(n + 12), [aria-hidden=true] tbody tr:nth-child(n + 2)'
      await page.evaluate((rows) => document.querySelectorAll(rows).forEach((row) => row.remove()), more)
      // The scene is new, but times must not be shorter than in use.
      await page.evaluate(() =>
        document.querySelectorAll('time').forEach((time) => time.replaceChildren('59 minutes ago')),
      )
      await page.evaluate(axeSource)
      for (const { width, height, pointer, themes: [theme, otherTheme] = [] } of sizes) {
        if (state.narrowOnly && width >= 768) continue
        await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: pointer === 'finger' })
        await page.setViewportSize({ width, height })
        if (theme) await setTheme(page, theme)
        const where = `${state.name}, ${width} × ${height}`
        await softExpect.poll(() => layoutFaults(page, pointer), { message: where }).toEqual([])
        expect.soft(await axeFaults(page, theme ? allRules : placesOnly), where).toEqual([])
        if (!otherTheme) continue
        await setTheme(page, otherTheme)
        expect.soft(await axeFaults(page, contrastOnly), `${where}, ${otherTheme}`).toEqual([])
      }
      // WCAG 1.4.4: text of twice the size, here at the last size, a phone.
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
      await softExpect
        .poll(() => layoutFaults(page, undefined), { message: `${state.name} with text of twice the size` })
        .toEqual([])
      expect.soft(await overlaps(page), `${state.name} with text of twice the size`).toEqual([])
      await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
      // WCAG 1.4.12: text spacing must not cut off text.
      await page.addStyleTag({ content: '* { letter-spacing: .12em; word-spacing: .16em; line-height: 1.5 }' })
      await softExpect
        .poll(() => layoutFaults(page, undefined), { message: `${state.name} with text spaced out` })
        .toEqual([])
    },
  )
}

async function setTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await expect(page.locator('html')).toHaveClass(theme)
}

function axeFaults(page: Page, options: axe.RunOptions): Promise<string[]> {
  return page.evaluate(async (given) => {
    const { axe: checker } = window as unknown as { axe: typeof axe }
    const { violations } = await checker.run({ ...given, resultTypes: ['violations'] })
    // A page that is still loading has no heading.
    const isLoading = document.querySelector('main[aria-busy=true]') !== null
    const found = violations.filter(({ id }) => !(isLoading && id === 'page-has-heading-one'))
    return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
  }, options)
}

function overlaps(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const overPage = Array.from(document.querySelectorAll('[role=dialog], [role=menu]'))
    const front = overPage.findLast((element) => element.checkVisibility()) ?? document.body
    const lines: { text: string; box: DOMRect; element: Element }[] = []
    const walker = document.createTreeWalker(front, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      const text = node.textContent?.trim() ?? ''
      // Suggestions, tooltips and toasts cover the page, and skip links are outside of it.
      const isLeftOut = element?.closest(
        '.sr-only, [data-sonner-toaster], [role=listbox], [role=tooltip], a[href^="#"], script, style, option',
      )
      if (!element || !text || isLeftOut || !element.checkVisibility({ visibilityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      let [left, top, right, bottom] = [0, -Infinity, Infinity, Infinity]
      for (let clip: Element | null = element; clip; clip = clip.parentElement) {
        if (getComputedStyle(clip).overflow === 'visible') continue
        const edge = clip.getBoundingClientRect()
        left = Math.max(left, edge.left)
        top = Math.max(top, edge.top)
        right = Math.min(right, edge.right)
        bottom = Math.min(bottom, edge.bottom)
      }
      for (const rect of range.getClientRects()) {
        const box = DOMRect.fromRect({ x: Math.max(rect.left, left), y: Math.max(rect.top, top) })
        box.width = Math.min(rect.right, right) - box.x
        box.height = Math.min(rect.bottom, bottom) - box.y
        if (box.width > 1 && box.height > 1) lines.push({ text: text.slice(0, 40), box, element })
      }
    }
    const GAP = 4
    return lines.flatMap((one, index) =>
      lines
        .slice(index + 1)
        .filter(
          ({ box, element }) =>
            element !== one.element &&
            Math.min(box.right, one.box.right) - Math.max(box.left, one.box.left) > GAP &&
            Math.min(box.bottom, one.box.bottom) - Math.max(box.top, one.box.top) > GAP,
        )
        .map(({ text }) => `“${one.text}” and “${text}” overlap`),
    )
  })
}

/**
 * Finds pages that scroll sideways, texts cut off without an ellipsis, dialogs outside of the window, and a sidebar over
 * the page. With a pointer, it also finds small targets, and for fingers, fields that phones would zoom into.
 */
function layoutFaults(page: Page, pointer: 'mouse' | 'finger' | undefined): Promise<string[]> {
  // oxlint-disable unicorn/consistent-function-scoping -- the functions must exist in the page
  return page.evaluate((by) => {
    const visible = (selector: string) =>
      Array.from(document.querySelectorAll<HTMLElement>(selector)).filter(
        (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.sr-only'),
      )
    const sizeOf = (element: Element) => element.getBoundingClientRect()
    const textOf = (fault: string) => (element: Element) => `${fault}: ${element.outerHTML.slice(0, 160)}`
    const isCheck = (element: Element) => ['checkbox', 'radio'].includes((element as HTMLInputElement).type)
    const { scrollWidth, clientWidth } = document.documentElement

    const cut = visible('td, th, button, label, h1, h2, p')
      .filter((element) => getComputedStyle(element).textOverflow !== 'ellipsis')
      .filter((element) => element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1)
    const outside = visible('[role=dialog]').filter((element) => {
      const { left, right, top, bottom } = sizeOf(element)
      return left < 0 || top < 0 || right > window.innerWidth || bottom > window.innerHeight
    })
    // Nobody uses what is behind a dialog.
    const front = visible('[role=dialog], [role=menu]').at(-1) ?? document.body
    const beyond = visible('a[href], button, input, textarea, select').filter((element) => {
      const { left, right } = sizeOf(element)
      return front.contains(element) && (left < -1 || right > window.innerWidth + 1)
    })
    const [main] = visible('main')
    const over = visible('aside').filter((aside) => main && sizeOf(aside).right > sizeOf(main).left)

    // A checkbox has a larger label. For a mouse, axe checks its distance to other targets.
    const least = (element: Element) =>
      isCheck(element) ? (by === 'finger' ? 23.5 : 0) : by === 'finger' ? 43.5 : 23.5
    // WCAG 2.5.8 exempts links within text.
    const small = visible('a[href], button:not(:disabled), [role=menuitem], [role=tab], input, textarea')
      .filter((element) => !element.closest('[aria-hidden=true], [data-sonner-toast]'))
      .filter((element) => !(element.tagName === 'A' && element.closest('[class*=bg-muted] div')))
      .map((element) => (isCheck(element) ? element : (element.closest('label') ?? element)))
      .filter((element) => Math.min(sizeOf(element).width, sizeOf(element).height) < least(element))
    const zooming = visible('input, textarea').filter(
      (element) => !isCheck(element) && Number.parseFloat(getComputedStyle(element).fontSize) < 16,
    )
    return [
      ...(scrollWidth > clientWidth ? ['the page scrolls sideways'] : []),
      ...cut.map(textOf('cut off')),
      ...outside.map(textOf('outside of the window')),
      ...beyond.map(textOf('beyond the edge of the window')),
      ...over.map(textOf('over the page')),
      ...(by === undefined ? [] : small.map(textOf('small target'))),
      ...(by === 'finger' ? zooming.map(textOf('zooms in')) : []),
    ]
  }, pointer)
  // oxlint-enable
}
