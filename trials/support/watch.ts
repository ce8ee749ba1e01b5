import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Api } from '../../tests/support/api.ts'
import { superuser } from '../../tests/support/running-server.ts'
import { type Reply, ask } from '../../tests/support/http.ts'
import type { Report } from './report.ts'

type Kind = 'read' | 'write' | 'log-in' | 'livez' | 'readyz'

interface Sample extends Reply {
  kind: Kind
  /** When it was sent, by `performance.now()`. */
  at: number
}

/** Sends reads, writes, log-ins and health checks to a server during a fault. */
class Watch {
  readonly samples: Sample[] = []
  /** Requests without a response. */
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

  /** Waits until all kinds of requests succeed. @returns the time in milliseconds, or `undefined` after the timeout */
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

  private askFor(kind: Kind): Promise<Reply> {
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
  forMs: number
  begin: () => unknown
  mend: () => unknown
  /** Kinds of requests that the fault must not affect. */
  untouched?: Kind[]
  /** Why /readyz need not report the fault. */
  unnoticed?: string
}

const ANSWERS_WITHIN_MS = 20_000
const WELL_WITHIN_MS = 30_000

/** Applies a fault to a server in use, and reports the responses. */
export async function endure(url: string, fault: Fault, report: Report): Promise<void> {
  const { name, forMs, untouched = [], unnoticed } = fault
  const api = await Api.ofSuperuser(url)
  const itemsBefore = await countItems(api)
  const watch = Watch.begin(url, api.token)
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
  const items = (await countItems(api)) - itemsBefore
  const longest = Math.round(Math.max(0, ...watch.samples.map(({ ms }) => ms)))
  const served = meanwhile.filter(({ status, kind }) => status === 200 && kind !== 'livez').length

  report.figure(`${name}, for`, `${forMs / 1000} s`)
  report.figure('  responses 200, 503 during the fault', `${served}, ${meanwhile.length - served}`)
  report.figure('  longest response time', `${longest} ms`)
  report.figure('  recovered after', recovery === undefined ? 'never' : `${Math.round(recovery)} ms`)
  report.promise('  only 200, or 503 with Retry-After', [
    ...refused
      .filter(({ status, headers }) => status !== 503 || !(Number(headers['retry-after']) > 0))
      .map(({ kind, status, body }) => `${kind}: ${status} ${body}`),
    ...watch.failures,
  ])
  report.promise(
    `  every response within ${ANSWERS_WITHIN_MS / 1000} s`,
    longest > ANSWERS_WITHIN_MS ? [`${longest} ms`] : [],
  )
  report.promise(
    '  /livez stays 200',
    not(watch.samples.filter(({ kind, status }) => kind === 'livez' && status !== 200)),
  )
  if (unnoticed === undefined) {
    report.promise('  /readyz returns 503', health.some(({ status }) => status === 503) ? [] : ['it never does'])
  } else report.figure('  /readyz stays 200', unnoticed)
  for (const spared of untouched) {
    report.promise(
      `  every ${spared} succeeds`,
      not(meanwhile.filter(({ kind, status }) => kind === spared && status !== 200)),
    )
  }
  report.promise('  it recovers without a restart', recovery === undefined ? [`not in ${WELL_WITHIN_MS / 1000} s`] : [])
  report.promise(
    '  every acknowledged write is stored once',
    items >= written && items <= written + unsure ? [] : [`${items} items, ${written} acknowledged, ${unsure} unsure`],
  )
}

async function countItems(api: Api): Promise<number> {
  return (await api.get<{ count: number }>('/items/?limit=1')).count
}

function not(samples: Sample[]): string[] {
  return samples.map(({ kind, status, ms }) => `${kind}: ${status} after ${Math.round(ms)} ms`)
}
