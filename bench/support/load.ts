import { setTimeout as sleep } from 'node:timers/promises'
import autocannon, { type Options } from 'autocannon'
import { Api } from '../../tests/support/api.ts'
import { quantile } from '../../tests/support/measure.ts'
import type { SeededServer } from './seeded-server.ts'

export interface Load {
  perSecond: number
  /** Milliseconds from a request to its complete response, under load from all connections. */
  p50: number
  p99: number
}

export const toCells = ({ perSecond, p50, p99 }: Load): string[] => [perSecond.toFixed(0), `${p50} / ${p99}`]

export async function measureLoad(options: Options): Promise<Load> {
  const { errors, non2xx, duration, latency, '2xx': answers } = await autocannon(options)
  if (errors > 0 || non2xx > 0) throw new Error(`${options.url}: ${errors} errors, ${non2xx} answers other than 2xx`)
  return { perSecond: answers / duration, p50: latency.p50, p99: latency.p99 }
}

interface Rounds {
  rounds: number
  seconds: number
  /** Lets the server finish work that follows a response. */
  pauseMs?: number
}

/** Measures loads in turns, so that other work on the machine affects all of them. @returns the median round of each load */
export async function measureInTurns<Name extends string>(
  title: string,
  loads: Record<Name, () => Options>,
  { rounds, seconds, pauseMs = 0 }: Rounds,
): Promise<Record<Name, Load>> {
  const measured = Object.entries<() => Options>(loads).map(([name, load]) => ({ name, load, results: [] as Load[] }))
  for (let round = 0; round <= rounds; round += 1) {
    for (const { load, results } of measured) {
      const result = await measureLoad({ ...load(), duration: seconds })
      if (round > 0) results.push(result)
      await sleep(pauseMs)
    }
  }
  const medians = measured.map(({ name, results }): [string, Load | undefined] => {
    const median = quantile(
      results.map(({ perSecond }) => perSecond),
      0.5,
    )
    return [name, results.find(({ perSecond }) => perSecond === median)]
  })
  const shown = medians.map(([name, load]) => `${load?.perSecond.toFixed(0)} (${name})`)
  console.error(`  ${title}: ${shown.join(', ')} a second`)
  return Object.fromEntries(medians) as Record<Name, Load>
}

export const newItem = { title: 'Count the chairs', description: 'In every room' }

export async function creationsBy({ url, people }: SeededServer, connections: number): Promise<() => Options> {
  const tokens: string[] = []
  for (const person of people.slice(0, connections)) tokens.push((await Api.logIn(url, person)).token)
  return () => {
    const left = [...tokens]
    return {
      url: `${url}/api/v1/items/`,
      method: 'POST',
      body: JSON.stringify(newItem),
      connections,
      setupClient: (client) =>
        client.setHeaders({ 'content-type': 'application/json', authorization: `Bearer ${left.pop()}` }),
    }
  }
}

/** Log-ins. Each connection moves on to another account, because log-ins per account are limited. */
export function logInsTo({ url, people }: SeededServer, connections: number): Options {
  const requests = people.map(({ email, password }) => ({
    body: new URLSearchParams({ username: email, password }).toString(),
  }))
  return {
    url: `${url}/api/v1/login/access-token`,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    connections,
    requests,
    setupClient: (client) => {
      const first = Math.floor(Math.random() * requests.length)
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)])
    },
  }
}
