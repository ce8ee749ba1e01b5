import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseSettings } from '../../tests/support/database.ts'
import { type StartedServer, spawnServer, superuser } from '../../tests/support/running-server.ts'
import { Balancer } from './balancer.ts'
import { TRUST_US } from '../../tests/support/http.ts'

export interface Member extends StartedServer {
  url: string
}

/** Several servers on one PostgreSQL (`TEST_DATABASE`) and one data folder, behind one load balancer. */
export class Fleet {
  readonly members: Member[] = []
  readonly balancer: Balancer
  private readonly dataDir: string

  private constructor(balancer: Balancer, dataDir: string) {
    this.balancer = balancer
    this.dataDir = dataDir
  }

  /** Starts all servers at once on an empty database. @throws Error when one does not become ready */
  static async start(size: number, dataDir: string): Promise<Fleet> {
    const fleet = new Fleet(await Balancer.listen(), dataDir)
    // Creates the database before the servers would all try to.
    await databaseSettings(dataDir)
    await Promise.all(Array.from({ length: size }, () => fleet.join()))
    return fleet
  }

  get url(): string {
    return this.balancer.url
  }

  async join(): Promise<void> {
    const started = spawnServer({
      PORT: '0',
      DATA_DIR: this.dataDir,
      ...(await databaseSettings(this.dataDir)),
      FIRST_SUPERUSER: superuser.email,
      FIRST_SUPERUSER_PASSWORD: superuser.password,
      // Longer than the balancer's check interval.
      DRAIN_SECONDS: '1',
      ...TRUST_US,
    })
    const url = await started.ready
    if (url === undefined) throw new Error(`A server exited before it was ready:\n${started.output()}`)
    this.members.push({ ...started, url })
    this.balancer.add(url)
  }

  /** @returns the exit code, and the time until exit */
  async end(member: Member, signal: 'SIGTERM' | 'SIGKILL'): Promise<{ code: number | null; ms: number }> {
    const begun = performance.now()
    const gone = once(member.process, 'exit') as Promise<[number | null]>
    member.process.kill(signal)
    const [code] = await gone
    this.members.splice(this.members.indexOf(member), 1)
    return { code, ms: performance.now() - begun }
  }

  async stop(): Promise<void> {
    this.balancer.close()
    await Promise.all(this.members.splice(0).map((member) => this.endQuietly(member)))
  }

  private async endQuietly({ process: child }: Member): Promise<void> {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await Promise.race([once(child, 'exit'), sleep(15_000)])
  }
}
