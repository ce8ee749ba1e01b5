import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync('src/index.css', 'utf8')

/** Relative luminance (WCAG 2) of an `oklch(L C H)` color. */
function luminance(color: string): number {
  const [l = 0, c = 0, hue = 0] = (/oklch\(([^)/]+)/.exec(color)?.[1] ?? '').trim().split(' ').map(Number)
  const a = c * Math.cos((hue * Math.PI) / 180)
  const b = c * Math.sin((hue * Math.PI) / 180)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  const channels = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ].map((value) => Math.min(1, Math.max(0, value)))
  const [red = 0, green = 0, blue = 0] = channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const surfaces = ['background', 'surface', 'muted', 'selected']
const filled = ['primary', 'destructive']
const tinted = ['success', 'destructive', 'accent']

const pairs = Array.from(css.matchAll(/--color-([\w-]+): light-dark\((oklch\([^)]+\)), (oklch\([^)]+\))\)/g))
const [raised = ''] = /\.dark \.raised \{[^}]+\}/.exec(css) ?? []
const raisedTokens = Array.from(raised.matchAll(/--color-([\w-]+): (oklch\([^)]+\))/g), ([, name, value]) => [
  `raised ${name}`,
  value,
])

describe.each(['light', 'dark'])('the %s theme', (theme) => {
  const isDark = theme === 'dark'
  const tokens = Object.fromEntries([
    ...pairs.map(([, name, light, dark]) => [name, isDark ? dark : light]),
    ...(isDark ? raisedTokens : []),
  ])
  const all = [...surfaces, ...(isDark ? ['raised background', 'raised surface', 'raised muted'] : [])]
  const ratio = (one: string, other: string) => contrast(tokens[one] ?? '', tokens[other] ?? '')

  test('WCAG 1.4.3: text has a contrast of 4.5:1 on every surface', () => {
    for (const text of ['foreground', 'muted-foreground', 'destructive']) {
      for (const surface of all) expect(ratio(text, surface), `${text} on ${surface}`).toBeGreaterThanOrEqual(4.5)
    }
    expect(ratio('primary', 'background')).toBeGreaterThanOrEqual(4.5)
    for (const fill of filled) {
      expect(ratio(`${fill}-foreground`, fill), `text on ${fill}`).toBeGreaterThanOrEqual(4.5)
    }
  })

  test('WCAG 1.4.3: badges and avatars of every hue have a contrast of 4.5:1', () => {
    for (const text of tinted) expect(ratio(text, `${text}-tint`), `${text} on its tint`).toBeGreaterThanOrEqual(4.5)
    const [avatar = ''] = /@utility avatar-colors \{[^}]+\}/.exec(css) ?? []
    const [background = [], text = []] = Array.from(avatar.matchAll(/oklch\(([\d. ]+) var.+oklch\(([\d. ]+) var/g))
    const shade = (of: readonly string[], hue: number) => `oklch(${of[isDark ? 2 : 1]} ${hue})`
    const hues = [...Array(360).keys()]
    const ratios = hues.map((hue) => contrast(shade(background, hue), shade(text, hue)))
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(4.5)
  })

  test('WCAG 1.4.11: edges of fields, focus rings and filled buttons have a contrast of 3:1', () => {
    for (const part of ['input', 'ring', 'success', ...filled]) {
      for (const surface of all) expect(ratio(part, surface), `${part} on ${surface}`).toBeGreaterThanOrEqual(3)
    }
  })
})
