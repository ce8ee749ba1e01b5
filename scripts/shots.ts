import { mkdirSync, rmSync } from 'node:fs'
import { removeData, startServer } from '../tests/support/running-server.ts'
import { makeScene } from '../tests/support/scene.ts'
import { enterState, states } from '../tests/support/states.ts'
import { buildSpaIfStale } from './build-spa.ts'
import { launchBrowser } from './find-browser.ts'

// npm run shots [-- users edit] saves screenshots of all states, or of those whose name contains one of the words.

const screens = {
  wide: { viewport: { width: 1280, height: 800 } },
  full: { viewport: { width: 1920, height: 1080 } },
  tablet: { viewport: { width: 768, height: 1024 }, hasTouch: true },
  turned: { viewport: { width: 844, height: 390 }, isMobile: true, hasTouch: true },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
}
const words = process.argv.slice(2)
const chosen = states.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))

buildSpaIfStale()
rmSync('shots', { recursive: true, force: true })
mkdirSync('shots')
const server = await startServer()
const browser = await launchBrowser()
try {
  const tokens = await makeScene(server.url)
  for (const [screen, settings] of Object.entries(screens)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const state of chosen) {
        if (state.narrowOnly && screen !== 'phone') continue
        const context = await browser.newContext({
          ...settings,
          colorScheme,
          baseURL: server.url,
          reducedMotion: 'reduce',
        })
        const page = await context.newPage()
        await enterState(page, state, tokens[state.as])
        await page.waitForTimeout(150)
        await page.screenshot({ path: `shots/${state.name}-${screen}-${colorScheme}.png` })
        await context.close()
      }
    }
  }
} finally {
  await browser.close()
  await server.stop()
  removeData(server.dataDir)
}
