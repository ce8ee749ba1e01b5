import Database from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import type { Tables } from '../../tables.ts'
import { settingsFor } from './postgres.ts'

const LOOK_MS = 1_000
const SQLITE_LOOK_MS = 100
/** A server notifies at most this often, because PostgreSQL commits transactions with notifications one by one. */
const NOTIFY_MS = 100
const RECONNECT_MS = 5_000
const CHANNEL = 'steward_commits'

/** How processes that share a database learn of each other's commits. */
export interface Commits {
  /** Calls a function soon after commits of other processes. @returns a function that stops the calls */
  listen: (onCommit: () => void) => () => void
  announce: () => void
}

export function createWatch(commits: Commits | undefined) {
  let onOwnCommit: (() => void) | undefined
  return {
    watch(onCommit: () => void): () => void {
      onOwnCommit = onCommit
      const stop = commits?.listen(onCommit)
      const timer = setInterval(onCommit, LOOK_MS).unref()
      return () => {
        onOwnCommit = undefined
        clearInterval(timer)
        stop?.()
      }
    },
    committed(): void {
      onOwnCommit?.()
      commits?.announce()
    },
  }
}

/** SQLite counts the commits of other connections. */
export function sqliteCommits(file: string): Commits {
  return {
    announce() {},
    listen(onCommit) {
      const database = new Database(file, { readonly: true })
      const read = () => database.pragma('data_version', { simple: true })
      let last = read()
      const timer = setInterval(() => {
        try {
          const version = read()
          if (version !== last) onCommit()
          last = version
        } catch {
          // The query that reads the changes meets the same error and reports it.
        }
      }, SQLITE_LOOK_MS).unref()
      return () => {
        clearInterval(timer)
        database.close()
      }
    },
  }
}

/** @param onError called when the connection that listens fails. It is opened again. */
export function postgresCommits(url: string, onError: (error: Error) => void, db: Kysely<Tables>): Commits {
  let announcing: NodeJS.Timeout | undefined
  return {
    announce() {
      announcing ??= setTimeout(() => {
        announcing = undefined
        // If this fails, other servers notice the commit a little later.
        sql`select pg_notify(${CHANNEL}, '')`.execute(db).catch(() => undefined)
      }, NOTIFY_MS).unref()
    },
    listen(onCommit) {
      let client: Client | undefined
      let retry: NodeJS.Timeout | undefined
      let isEnded = false
      async function connect(): Promise<void> {
        const opened = new Client(settingsFor(url))
        client = opened
        opened.on('notification', onCommit)
        opened.on('error', onError)
        opened.once('end', () => {
          if (!isEnded) retry = setTimeout(() => void connect(), RECONNECT_MS).unref()
        })
        try {
          await opened.connect()
          await opened.query(`listen ${CHANNEL}`)
        } catch (error) {
          onError(error as Error)
          await opened.end().catch(() => undefined)
        }
      }
      void connect()
      return () => {
        isEnded = true
        clearTimeout(retry)
        client?.end().catch(() => undefined)
      }
    },
  }
}
