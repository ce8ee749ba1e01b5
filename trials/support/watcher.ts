import { setTimeout as sleep } from 'node:timers/promises'
import { watchEvents } from '../../tests/support/watch-events.ts'
import type { Added } from './writer.ts'

/** The web application waits this long before it reconnects. */
const DELAY_MS = 1_000
const SEEN_WITHIN_MS = 1_000
const LOOK_MS = 10

export class Watcher {
  /** Durations without a stream, in milliseconds. */
  readonly gaps: number[] = []
  readonly faults: string[] = []
  ended = 0
  broken = 0
  failed = 0
  isOpen = false
  private readonly spans: { from: number; to: number; ids: ReadonlySet<string> }[] = []
  private readonly url: string
  private readonly token: string

  constructor(url: string, token: string) {
    this.url = url
    this.token = token
  }

  async watch(enough: () => boolean): Promise<void> {
    while (!enough()) {
      await this.watchOne(enough)
      if (!enough()) await sleep(DELAY_MS * (0.5 + Math.random() / 2))
    }
  }

  /** The items for which no hint came although a stream was open from before until a second after. */
  missed(added: readonly Added[]): string[] {
    return added.flatMap(({ id, askedAt, answeredAt }) => {
      const span = this.spans.find(({ from, to }) => from <= askedAt && answeredAt + SEEN_WITHIN_MS <= to)
      return span && !span.ids.has(id) ? [`no hint of ${id}`] : []
    })
  }

  private async watchOne(enough: () => boolean): Promise<void> {
    const stream = await watchEvents(this.url, this.token).catch(() => undefined)
    const status = stream?.response.status ?? 0
    if (status !== 200) this.failed += 1
    // The web application does not retry after these.
    if (status >= 400 && status < 500) this.faults.push(`a stream was refused: ${status}`)
    if (!stream || status !== 200) return stream?.leave()
    while (!stream.text.includes('event: hello') && !stream.hasEnded) await sleep(LOOK_MS)
    const from = performance.now()
    const last = this.spans.at(-1)
    if (last) this.gaps.push(from - last.to)
    this.isOpen = true
    while (!stream.hasEnded && !enough()) await sleep(LOOK_MS)
    this.isOpen = false
    if (stream.hasEnded && stream.error === undefined) this.ended += 1
    else if (stream.hasEnded) this.broken += 1
    this.spans.push({ from, to: performance.now(), ids: new Set(stream.hints.map(({ id }) => id)) })
    stream.leave()
  }
}
