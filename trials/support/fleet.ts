import { databaseSettings } from '../../tests/support/database.ts'
import { TRUST_US } from '../../tests/support/http.ts'
import { type RunningServer, startServer } from '../../tests/support/running-server.ts'
import { Balancer } from './balancer.ts'

export class Fleet {
  readonly members: RunningServer[] = []
  readonly balancer: Balancer
  private readonly dataDir: string

  private constructor(balancer: Balancer, dataDir: string) {
    this.balancer = balancer
    this.dataDir = dataDir
  }

  /** Starts all servers at once on an empty database. @throws Error if one does not become ready */
  static async start(size: number, dataDir: string): Promise<Fleet> {
    const fleet = new Fleet(await Balancer.listen(), dataDir)
    // Creates the database first, because the servers would otherwise all try to.
    await databaseSettings(dataDir)
    await Promise.all(Array.from({ length: size }, () => fleet.join()))
    return fleet
  }

  get url(): string {
    return this.balancer.url
  }

  async join(): Promise<void> {
    // The server drains longer than the balancer takes to notice.
    const member = await startServer(this.dataDir, { DRAIN_SECONDS: '1', ...TRUST_US })
    this.members.push(member)
    this.balancer.add(member.url)
  }

  async end(member: RunningServer, signal: 'SIGTERM' | 'SIGKILL'): Promise<{ code: number | null; ms: number }> {
    const begun = performance.now()
    const code = await member.stop(signal)
    this.members.splice(this.members.indexOf(member), 1)
    return { code, ms: performance.now() - begun }
  }

  async stop(): Promise<void> {
    this.balancer.close()
    await Promise.all(this.members.splice(0).map((member) => member.stop()))
  }
}
