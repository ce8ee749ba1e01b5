import { startPostgres } from '../../scripts/throw-away-postgres.ts'
import { removeData, startServer } from '../../tests/support/running-server.ts'
import { TcpProxy } from '../../tests/support/tcp-proxy.ts'

/** Runs a server on a temporary PostgreSQL behind a proxy for the duration of `work`. */
export async function withServerBehindProxy(work: (url: string, proxy: TcpProxy) => Promise<void>): Promise<void> {
  const postgres = await startPostgres()
  const url = new URL(postgres.url)
  const proxy = await TcpProxy.to(Number(url.port))
  url.port = String(proxy.port)
  const server = await startServer(undefined, { DATABASE_URL: url.href, LOG_LEVEL: 'fatal' })
  try {
    await work(server.url, proxy)
  } finally {
    await server.stop()
    removeData(server.dataDir)
    await proxy.close()
    await postgres.remove()
  }
}
