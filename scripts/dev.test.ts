import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { startDev } from '../tests/support/start-dev.ts'
import { copyWorkTree } from './copy-work-tree.ts'
import { freePort } from './ports.ts'

test('npm run dev serves a replaced file of the server, and holds requests meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-dev-'))
  copyWorkTree(folder)
  // Another development server may use Vite's cache.
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync('node_modules').filter((entry) => entry !== '.vite'))
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name))
  const [port, apiPort] = [await freePort(), await freePort()]
  const settings = { PORT: `${apiPort}`, DATA_DIR: join(folder, 'data') }
  const dev = startDev([], { ...settings, DEV_PORT: `${port}` }, folder)
  const ask = async () => {
    const response = await fetch(`http://localhost:${port}/api/v1/users/me`)
    return `${response.status} ${await response.text()}`
  }
  const file = join(folder, 'server/sessions/request.ts')
  const text = readFileSync(file, 'utf8')
  try {
    await expect.poll(() => ask().catch(() => ''), { timeout: 60_000 }).toBe('401 {"detail":"Not authenticated"}')
    // Git and many editors replace files instead of writing into them.
    for (const words of ['Changed once', 'Changed twice']) {
      writeFileSync(`${file}.new`, text.replace('Not authenticated', words))
      renameSync(`${file}.new`, file)
      const answers: string[] = []
      await expect.poll(async () => answers[answers.push(await ask()) - 1]).toBe(`401 {"detail":"${words}"}`)
      expect(answers.filter((answer) => !answer.startsWith('401'))).toEqual([])
    }
    // A second one would use the API of the first.
    const second = startDev([], { ...settings, DEV_PORT: `${await freePort()}` }, folder)
    await once(second.process, 'exit')
    expect(second.output()).toContain(`Port ${apiPort} is in use`)
  } finally {
    await dev.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
