import autocannon from 'autocannon'

export interface Load {
  perSecond: number
  /** Milliseconds from sending a request to its complete response, under load from all connections. */
  p50: number
  p99: number
}

/** @throws Error when a request fails */
export async function measureLoad(options: autocannon.Options): Promise<Load> {
  const result = await autocannon(options)
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${options.title ?? options.url}: ${result.errors} errors, ${result.non2xx} answers other than 2xx`)
  }
  const answers = result['2xx']
  return { perSecond: answers / result.duration, p50: result.latency.p50, p99: result.latency.p99 }
}

/** @returns the load with the median number of requests a second */
export function medianLoad(loads: Load[]): Load {
  const [middle] = loads.toSorted((a, b) => a.perSecond - b.perSecond).slice(Math.floor(loads.length / 2))
  if (!middle) throw new Error('Nothing was measured')
  return middle
}
