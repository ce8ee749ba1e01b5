import { setTimeout as sleep } from 'node:timers/promises'
import { Api } from '../../tests/support/api.ts'
import { type Report, spread } from './report.ts'
import { Watcher } from './watcher.ts'
import { Writer } from './writer.ts'

export const SEEN_WITHIN_MS = 1_000
/** A client waits up to a second before it reconnects. The rest is for a busy machine. */
const OPEN_WITHIN_MS = 10_000

/** People who write and watch while servers end and start. */
export async function startClients(url: string, root: Api, count: number) {
  const people = await Promise.all(Array.from({ length: count }, () => root.createUser()))
  const tokens: string[] = []
  for (const person of people) tokens.push((await Api.logIn(url, person)).token)
  const writers = tokens.map((token) => new Writer(url, token))
  const watchers = tokens.map((token) => new Watcher(url, token))
  const over = { writing: false, watching: false }
  const watching = Promise.all(watchers.map((watcher) => watcher.watch(() => over.watching)))
  const writing = Promise.all(writers.map((writer) => writer.write(() => over.writing)))
  let areOpen: boolean[] = []
  return {
    writers,
    watchers,
    streams: (kind: 'ended' | 'broken') => watchers.reduce((sum, watcher) => sum + watcher[kind], 0),

    async end(): Promise<void> {
      over.writing = true
      await writing
      await sleep(SEEN_WITHIN_MS)
      areOpen = watchers.map(({ isOpen }) => isOpen)
      over.watching = true
      await watching
    },

    reportTo(report: Report): void {
      const gaps = watchers.flatMap((watcher) => watcher.gaps)
      report.figures({
        'without a stream': spread(gaps),
        'requests for a stream that failed': watchers.reduce((sum, { failed }) => sum + failed, 0),
      })
      report.promises({
        [`each client has another stream within ${OPEN_WITHIN_MS} ms`]: [
          ...gaps.filter((gap) => gap > OPEN_WITHIN_MS).map(String),
          ...areOpen.filter((isOpen) => !isOpen).map(() => 'none is open'),
        ],
        'streams tell of each item that was added a second before their end': watchers.flatMap((watcher, index) => [
          ...watcher.faults,
          ...watcher.missed(writers[index]?.added ?? []),
        ]),
        'sessions stay valid, and clients see their own writes': writers.flatMap(({ faults }) => faults),
      })
    },
  }
}
