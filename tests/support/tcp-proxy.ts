import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export class TcpProxy {
  private readonly connections = new Set<[Socket, Socket]>()
  private readonly server = createServer((client) => this.join(client))
  private state: 'whole' | 'cut' | 'silent' = 'whole'
  private readonly targetPort: number

  private constructor(targetPort: number) {
    this.targetPort = targetPort
  }

  static async to(targetPort: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(targetPort)
    proxy.server.listen(0, '127.0.0.1')
    await once(proxy.server, 'listening')
    return proxy
  }

  get port(): number {
    const address = this.server.address()
    if (address === null || typeof address === 'string') throw new Error('The proxy is not listening')
    return address.port
  }

  cut(): void {
    this.state = 'cut'
    this.breakOff()
  }

  silence(): void {
    this.state = 'silent'
    for (const pair of this.connections) for (const socket of pair) socket.pause()
  }

  /** Serves new connections again. Silenced ones stay silent, as after a firewall lost their state. */
  heal(): void {
    this.state = 'whole'
  }

  async close(): Promise<void> {
    this.breakOff()
    this.server.close()
    await once(this.server, 'close')
  }

  private breakOff(): void {
    for (const pair of this.connections) for (const socket of pair) socket.destroy()
  }

  private join(client: Socket): void {
    client.on('error', () => undefined)
    if (this.state === 'cut') {
      client.resetAndDestroy()
      return
    }
    const target = connect(this.targetPort, '127.0.0.1')
    target.on('error', () => undefined)
    const pair: [Socket, Socket] = [client, target]
    this.connections.add(pair)
    for (const socket of pair) {
      socket.once('close', () => {
        this.connections.delete(pair)
        for (const end of pair) end.destroy()
      })
    }
    client.on('data', (chunk) => target.write(chunk))
    target.on('data', (chunk) => client.write(chunk))
    if (this.state === 'silent') for (const socket of pair) socket.pause()
  }
}
