import { databaseSettings } from '../../tests/support/database.ts'
import { TRUST_US } from '../../tests/support/http.ts'
import { type RunningServer, startServer } from '../../tests/support/running-server.ts'
import { Balancer } from './balancer.ts'

export type Fleet = Awaited<ReturnType<typeof startFleet>>

/** Starts all servers at once on an empty database. @throws Error if one does not become ready */
export async function startFleet(size: number, dataDir: string) {
  const balancer = await Balancer.listen()
  const members: RunningServer[] = []

  async function join(): Promise<void> {
    // The server drains longer than the balancer takes to notice.
    const member = await startServer(dataDir, { DRAIN_SECONDS: '1', ...TRUST_US })
    members.push(member)
    balancer.add(member.url)
  }

  // Creates the database first, because the servers would otherwise all try to.
  await databaseSettings(dataDir)
  await Promise.all(Array.from({ length: size }, join))
  return {
    members,
    lost: balancer.lost,
    url: balancer.url,
    join,

    async end(member: RunningServer, signal: 'SIGTERM' | 'SIGKILL'): Promise<{ code: number | null; ms: number }> {
      const begun = performance.now()
      const code = await member.stop(signal)
      members.splice(members.indexOf(member), 1)
      return { code, ms: performance.now() - begun }
    },

    async stop(): Promise<void> {
      balancer.close()
      await Promise.all(members.splice(0).map((member) => member.stop()))
    },
  }
}
