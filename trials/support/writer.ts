import { type Reply, ask } from '../../tests/support/http.ts'

export interface Added {
  id: string
  askedAt: number
  answeredAt: number
}

export class Writer {
  readonly times: number[] = []
  readonly faults: string[] = []
  readonly added: Added[] = []
  /** Requests that only the proxy answered. */
  lost = 0
  private unknown = 0
  private readonly url: string
  private readonly token: string

  constructor(url: string, token: string) {
    this.url = url
    this.token = token
  }

  async write(enough: () => boolean): Promise<void> {
    const { token } = this
    while (!enough()) {
      const askedAt = performance.now()
      const added = await this.ask(() => ask('POST', `${this.url}/api/v1/items/`, { token, json: { title: 'x' } }))
      if (added) {
        const { id } = JSON.parse(added.body) as { id: string }
        this.added.push({ id, askedAt, answeredAt: performance.now() })
      } else this.unknown += 1
      const list = await this.ask(() => ask('GET', `${this.url}/api/v1/items/?limit=1`, { token }))
      if (!list) continue
      const { count } = JSON.parse(list.body) as { count: number }
      const kept = this.added.length
      if (count >= kept && count <= kept + this.unknown) continue
      this.faults.push(`${count} items where ${kept} were added and ${this.unknown} may have been`)
    }
  }

  /** @returns `undefined` if the request was lost, which the balancer counts */
  private async ask(send: () => Promise<Reply>): Promise<Reply | undefined> {
    const response = await send()
    this.times.push(response.ms)
    if (response.status === 200) return response
    if (response.status === 502) this.lost += 1
    else this.faults.push(`${response.status} ${response.body}`)
    return undefined
  }
}
