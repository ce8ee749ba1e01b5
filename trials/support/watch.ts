import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Api } from '../../tests/support/api.ts'
import { superuser } from '../../tests/support/running-server.ts'
import { type Answer, ask } from '../../tests/support/http.ts'
import type { Report } from './report.ts'

type Kind = 'read' | 'write' | 'log-in' | 'livez' | 'readyz'

interface Sample extends Answer {
  kind: Kind
  /** When it was asked, on the clock of `performance`. */
  at: number
}

/** How a server fares through a fault: people read, write and log in without a pause, and somebody asks after its health. */
class Watch {
  readonly samples: Sample[] = []
  /** Requests that got no answer at all. */
  readonly failures: string[] = []
  private readonly agent = new Agent({ keepAlive: true })
  private readonly url: string
  private readonly token: string
  private over = false
  private running: Promise<unknown> | undefined

  private constructor(url: string, token: string) {
    this.url = url
    this.token = token
  }

  static begin(url: string, token: string): Watch {
    const watch = new Watch(url, token)
    const readers = Array.from({ length: 4 }, () => watch.repeat('read', 20))
    const writers = Array.from({ length: 4 }, () => watch.repeat('write', 20))
    const rest = (['log-in', 'livez', 'readyz'] as const).map((kind) => watch.repeat(kind, 250))
    watch.running = Promise.all([...readers, ...writers, ...rest])
    return watch
  }

  async end(): Promise<void> {
    this.over = true
    await this.running
    this.agent.destroy()
  }

  /** Waits until everybody is served again. @returns how long that took, or `undefined` when it took too long */
  async untilWell(withinMs: number): Promise<number | undefined> {
    const begun = performance.now()
    while (performance.now() - begun < withinMs) {
      await sleep(100)
      const now = performance.now()
      const latest = (['read', 'write', 'log-in', 'readyz'] as const).map((kind) =>
        this.samples.findLast((sample) => sample.kind === kind),
      )
      if (latest.every((sample) => sample?.status === 200 && sample.at > begun)) return now - begun
    }
    return undefined
  }

  between(from: number, to: number): Sample[] {
    return this.samples.filter(({ at }) => at >= from && at < to)
  }

  private async repeat(kind: Kind, pauseMs: number): Promise<void> {
    while (!this.over) {
      const at = performance.now()
      try {
        this.samples.push({ ...(await this.askFor(kind)), kind, at })
      } catch (error) {
        this.failures.push(`${kind}: ${String(error)}`)
      }
      await sleep(pauseMs)
    }
  }

  private askFor(kind: Kind): Promise<Answer> {
    const { url, token, agent } = this
    switch (kind) {
      case 'read':
        return ask('GET', `${url}/api/v1/items/?limit=10`, { token, agent })
      case 'write':
        return ask('POST', `${url}/api/v1/items/`, { token, agent, json: { title: 'x' } })
      case 'log-in': {
        const form = { username: superuser.email, password: superuser.password }
        return ask('POST', `${url}/api/v1/login/access-token`, { agent, form })
      }
      default:
        return ask('GET', `${url}/${kind}`, { agent })
    }
  }
}

export interface Fault {
  name: string
  /** How long it lasts. */
  forMs: number
  begin: () => unknown
  mend: () => unknown
  /** What goes on meanwhile as if nothing were. */
  untouched?: Kind[]
  /** Why /readyz may not notice. */
  unnoticed?: string
}

const ANSWERS_WITHIN_MS = 20_000
const WELL_WITHIN_MS = 30_000

/** Lets a fault happen to a server that people use, and writes down what they saw. */
export async function endure(url: string, fault: Fault, report: Report): Promise<void> {
  const { name, forMs, untouched = [], unnoticed } = fault
  const { token } = await Api.ofSuperuser(url)
  const itemsBefore = await countItems(url, token)
  const watch = Watch.begin(url, token)
  await sleep(1_000)
  const begun = performance.now()
  await fault.begin()
  await sleep(forMs)
  await fault.mend()
  const mended = performance.now()
  const recovery = await watch.untilWell(WELL_WITHIN_MS)
  await watch.end()

  const meanwhile = watch.between(begun, mended)
  const refused = watch.samples.filter(({ status }) => status !== 200)
  const health = meanwhile.filter(({ kind }) => kind === 'readyz')
  const written = watch.samples.filter(({ kind, status }) => kind === 'write' && status === 200).length
  const unsure = watch.samples.filter(({ kind, status }) => kind === 'write' && status !== 200).length
  const items = (await countItems(url, token)) - itemsBefore
  const longest = Math.round(Math.max(0, ...watch.samples.map(({ ms }) => ms)))
  const served = meanwhile.filter(({ status, kind }) => status === 200 && kind !== 'livez').length

  report.figure(`${name}, for`, `${forMs / 1000} s`)
  report.figure('  answered 200, refused 503 meanwhile', `${served}, ${meanwhile.length - served}`)
  report.figure('  the longest wait for an answer', `${longest} ms`)
  report.figure('  all well again after', recovery === undefined ? 'never' : `${Math.round(recovery)} ms`)
  report.promise('  nothing but 200, or 503 with Retry-After', [
    ...refused
      .filter(({ status, headers }) => status !== 503 || !(Number(headers['retry-after']) > 0))
      .map(({ kind, status, body }) => `${kind}: ${status} ${body}`),
    ...watch.failures,
  ])
  report.promise(
    `  an answer within ${ANSWERS_WITHIN_MS / 1000} s`,
    longest > ANSWERS_WITHIN_MS ? [`${longest} ms`] : [],
  )
  report.promise(
    '  /livez stays 200',
    not(watch.samples.filter(({ kind, status }) => kind === 'livez' && status !== 200)),
  )
  if (unnoticed === undefined) {
    report.promise('  /readyz follows', health.some(({ status }) => status === 503) ? [] : ['it never said 503'])
  } else report.figure('  /readyz does not follow', unnoticed)
  for (const spared of untouched) {
    report.promise(
      `  every ${spared} goes on`,
      not(meanwhile.filter(({ kind, status }) => kind === spared && status !== 200)),
    )
  }
  report.promise('  it recovers by itself', recovery === undefined ? [`not in ${WELL_WITHIN_MS / 1000} s`] : [])
  report.promise(
    '  every acknowledged write is there, none twice',
    items >= written && items <= written + unsure ? [] : [`${items} items, ${written} acknowledged, ${unsure} unsure`],
  )
}

async function countItems(url: string, token: string): Promise<number> {
  const { body } = await ask('GET', `${url}/api/v1/items/?limit=1`, { token })
  return (JSON.parse(body) as { count: number }).count
}

function not(samples: Sample[]): string[] {
  return samples.map(({ kind, status, ms }) => `${kind}: ${status} after ${Math.round(ms)} ms`)
}
