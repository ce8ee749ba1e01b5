// npm run trial:browser
// Checks what users see in a browser while the network, the server or the session fails.
import { launchBrowser } from '../scripts/find-browser.ts'
import { buildSpaIfStale } from '../scripts/build-spa.ts'
import { Api } from '../tests/support/api.ts'
import { removeData, startServer } from '../tests/support/running-server.ts'
import { scenarios } from './support/browser-scenarios.ts'
import { databaseAway } from './support/browser-database.ts'
import { Report } from './support/report.ts'
import { Scene } from './support/scene.ts'
import { withServerBehindProxy } from './support/tcp-proxy.ts'

const words = process.argv.slice(2)
const chosen = (name: string): boolean => words.length === 0 || words.some((word) => name.includes(word))

buildSpaIfStale()
const report = new Report('In front of a browser')
const browser = await launchBrowser()

async function tryOut(name: string, url: string, act: (scene: Scene) => Promise<void>): Promise<void> {
  if (!chosen(name)) return
  const scene = new Scene(url, browser, await Api.ofSuperuser(url))
  const begun = performance.now()
  await act(scene).catch((error: unknown) => scene.check(false, String(error).split('\n', 1)[0] ?? ''))
  for (const context of browser.contexts()) await context.close()
  report.promise(name, scene.faults)
  report.figure('  duration', `${((performance.now() - begun) / 1000).toFixed(1)} s`)
}

const server = await startServer(undefined, { TRUSTED_PROXIES: '127.0.0.1' })
try {
  for (const [name, act] of Object.entries(scenarios)) await tryOut(name, server.url, act)
  await withServerBehindProxy(async (url, proxy) => {
    for (const [name, act] of Object.entries(databaseAway(proxy))) await tryOut(name, url, act)
  })
} finally {
  await browser.close()
  await server.stop()
  removeData(server.dataDir)
}
report.print()
