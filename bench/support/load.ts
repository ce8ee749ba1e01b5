import autocannon from 'autocannon'

export interface Load {
  perSecond: number
  /** Milliseconds from sending to the whole answer, with as many others at the same time as there are connections. */
  p50: number
  p99: number
}

/** @throws Error when any answer is not a success: then the figures are of something else */
export async function measureLoad(options: autocannon.Options): Promise<Load> {
  const result = await autocannon(options)
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${options.title ?? options.url}: ${result.errors} errors, ${result.non2xx} answers other than 2xx`)
  }
  const answers = result['2xx']
  return { perSecond: answers / result.duration, p50: result.latency.p50, p99: result.latency.p99 }
}

/** @returns the access token */
export async function logIn(url: string, username: string, password: string): Promise<string> {
  const body = new URLSearchParams({ username, password })
  const response = await fetch(`${url}/api/v1/login/access-token`, { method: 'POST', body })
  if (!response.ok) throw new Error(`The log-in was answered ${response.status}`)
  return ((await response.json()) as { access_token: string }).access_token
}
