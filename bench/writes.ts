// npm run bench:writes -- --postgres --quick --write measures acknowledged item creations and log-ins per second.
// `--postgres` uses the server of DATABASE_URL or a temporary one that syncs to the disk, instead of SQLite.
import { parseArgs } from 'node:util'
import { describeMachine, publish } from './support/figures.ts'
import { toCells, creationsBy, logInsTo, measureInTurns } from './support/load.ts'
import { runOnDatabase } from './support/postgres.ts'
import { startSeededServer } from './support/seeded-server.ts'

const WRITERS = [1, 8, 64]
const ROWS = 1_000

const flag = { type: 'boolean', default: false } as const
const { values: flags } = parseArgs({ options: { postgres: flag, quick: flag, write: flag } })
const rounds = flags.quick ? { rounds: 1, seconds: 1, pauseMs: 1_000 } : { rounds: 5, seconds: 3, pauseMs: 3_000 }

async function bench(database: string): Promise<void> {
  const server = await startSeededServer(ROWS)
  const rows: string[][] = []
  try {
    for (const writers of WRITERS) {
      const { items } = await measureInTurns(
        `${writers} writers`,
        { items: await creationsBy(server, writers) },
        rounds,
      )
      const logIns = () => logInsTo(server, writers)
      const { log_ins } = await measureInTurns(`${writers} writers`, { log_ins: logIns }, rounds)
      rows.push([String(writers), ...toCells(items), ...toCells(log_ins)])
    }
  } finally {
    await server.stop()
  }
  const intro = `${database}; ${describeMachine()}. The median of ${rounds.rounds} rounds of ${rounds.seconds} s.`
  const table = { head: ['Writers', 'Items/s', 'p50 / p99, ms', 'Log-ins/s', 'p50 / p99, ms'], rows }
  publish(`writes-${database.toLowerCase()}`, [intro, table], flags.write && !flags.quick)
}

await runOnDatabase(flags.postgres, bench, '--sync')
