import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http'

const CHECK_MS = 200

interface Upstream {
  url: string
  agent: Agent
  ready: boolean
}

/** A request that got no response and cannot be repeated. */
export interface LostRequest {
  url: string
  sentAt: number
}

/** A request without a response may have had effects, so only GET requests and refused connections are repeated. */
export class Balancer {
  readonly lost: LostRequest[] = []
  private upstreams: Upstream[] = []
  private turn = 0
  private readonly server = createServer((request, response) => void this.take(request, response))

  private readonly checks = setInterval(() => {
    for (const upstream of this.upstreams) void check(upstream)
  }, CHECK_MS)

  static async listen(): Promise<Balancer> {
    const balancer = new Balancer()
    balancer.server.listen(0, '127.0.0.1')
    await once(balancer.server, 'listening')
    return balancer
  }

  get url(): string {
    const address = this.server.address()
    if (address === null || typeof address === 'string') throw new Error('The balancer is not listening')
    return `http://127.0.0.1:${address.port}`
  }

  add(url: string): void {
    this.upstreams.push({ url, agent: new Agent({ keepAlive: true }), ready: true })
  }

  close(): void {
    clearInterval(this.checks)
    this.server.close()
    this.server.closeAllConnections()
    for (const { agent } of this.upstreams) agent.destroy()
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    this.forward(request, Buffer.concat(chunks), response, this.upstreams.length)
  }

  private forward(request: IncomingMessage, body: Buffer, response: ServerResponse, tries: number): void {
    const upstream = this.next()
    const { method = 'GET', headers, url = '/' } = request
    const sentAt = performance.now()
    const sent = httpRequest(`${upstream.url}${url}`, { method, headers, agent: upstream.agent })
    sent.once('response', (answer) => {
      const { connection: _ours, ...rest } = answer.headers
      response.writeHead(answer.statusCode ?? 502, rest)
      answer.pipe(response)
      answer.once('error', () => response.destroy())
      // A client that leaves a stream closes it on the server, too.
      response.once('close', () => answer.complete || sent.destroy())
    })
    sent.once('error', (error: NodeJS.ErrnoException) => {
      if (response.headersSent) return
      const refused = error.code === 'ECONNREFUSED'
      if (refused) upstream.ready = false
      if (tries > 1 && (refused || method === 'GET')) {
        this.forward(request, body, response, tries - 1)
        return
      }
      this.lost.push({ url: upstream.url, sentAt })
      response.writeHead(502).end()
    })
    sent.end(body)
  }

  /** The next server that is ready or, if none is, simply the next one. */
  private next(): Upstream {
    const { length } = this.upstreams
    for (let asked = 0; asked < length; asked += 1) {
      const candidate = this.upstreams[(this.turn += 1) % length]
      if (candidate?.ready) return candidate
    }
    const any = this.upstreams[this.turn % length]
    if (!any) throw new Error('The balancer has no servers')
    return any
  }
}

async function check(upstream: Upstream): Promise<void> {
  try {
    upstream.ready = (await fetch(`${upstream.url}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    upstream.ready = false
  }
}
