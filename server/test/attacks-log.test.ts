import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../scripts/ports.ts'
import { createLogOutput } from '../platform/http/log-output.ts'
import { newFolder } from './new-folder.ts'

const report = (missing: number) => `${missing} missing\n`

function createOutput(room: number) {
  let text = ''
  let left = room
  const output = createLogOutput((bytes) => {
    if (left === 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    const written = bytes.subarray(0, left)
    text += written.toString()
    left -= written.length
    return written.length
  })
  return {
    write: (...lines: string[]) => {
      for (const line of lines) output.write(`${line}\n`, report)
    },
    addRoom: (bytes: number) => (left += bytes),
    text: () => text,
    lost: output.lost,
  }
}

describe('a line of the log that cannot be written', () => {
  test('is lost and counted, and the first one afterwards says how many', () => {
    const { write, addRoom, text, lost } = createOutput(4)
    write('one', 'two', 'three')
    expect([text(), lost()]).toEqual(['one\n', 2])
    addRoom(100)
    write('four', 'five')
    expect([text(), lost()]).toEqual(['one\n2 missing\nfour\nfive\n', 2])
  })

  test('does not become one with the next if only a part of it was written', () => {
    const { write, addRoom, text, lost } = createOutput(6)
    write('one', 'two')
    expect([text(), lost()]).toEqual(['one\ntw', 1])
    addRoom(1)
    write('three')
    expect(lost()).toBe(2)
    addRoom(100)
    write('four')
    expect(text().split('\n').slice(-3)).toEqual(['2 missing', 'four', ''])
    expect(lost()).toBe(2)
  })

  test('waits a moment for the reader of a pipe, but those after it do not', () => {
    let tries = 0
    vi.spyOn(performance, 'now').mockImplementation(() => 20 * tries)
    const output = createLogOutput(() => {
      tries += 1
      throw Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' })
    })
    output.write('one\n', report)
    expect(tries).toBe(3)
    tries = 0
    output.write('two\n', report)
    expect([tries, output.lost()]).toEqual([1, 2])
  })
})

test.each(['json', 'text'])('a server whose log cannot be written, as %s, serves on', async (LOG_FORMAT) => {
  const [port, metrics] = [await freePort(), await freePort()]
  // Systems without a device that is always full use a file that is only open for reading.
  const full = existsSync('/dev/full') ? openSync('/dev/full', 'w') : openSync('/dev/null', 'r')
  onTestFinished(() => closeSync(full))
  const settings = { DATA_DIR: newFolder(), HOST: '127.0.0.1' }
  const child = spawn(process.execPath, ['server/cli/main.ts', 'serve'], {
    env: { PATH: process.env.PATH, ...settings, PORT: `${port}`, METRICS_PORT: `${metrics}`, LOG_FORMAT },
    stdio: ['ignore', full, 'inherit'],
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
  await expect.poll(() => statusOf('/readyz').catch(() => 0), { timeout: 60_000 }).toBe(200)
  for (let requests = 0; requests < 20; requests += 1) expect(await statusOf('/api/v1/users/me')).toBe(401)
  const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()
  expect(Number(/^steward_log_lines_lost_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(20)
})
