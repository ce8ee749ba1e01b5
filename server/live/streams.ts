import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import { findEnded } from '../sessions/checks.ts'
import type { AccountActor } from '../users/access.ts'
import { type Change, changesBetween, currentCursor, type Cursor, recentChanges } from './queries.ts'

const MAX_STREAMS = 1_000
const MAX_OF_ACCOUNT = 4
const RETRY_AFTER_S = 30
/** How much a client may leave unread, besides the buffers of the system. */
const MAX_UNREAD_BYTES = 64 * 1024
/** Proxies close silent connections after 30 to 60 seconds. */
const COMMENT_MS = 15_000
/** The server waits this long after a change, to read several changes together. */
const COLLECT_MS = 50
/** After each batch of changes, the server waits at most 10 times 10 ms for clients to read it. */
const MAX_READ_WAITS = 10
const READ_WAIT_MS = 10

const ENDING_STREAMS = new Set(['users', 'sessions', 'api_tokens'])

/** For each resource, a function that reads the versions of those rows that still exist, by id. */
export type Sources = Readonly<Record<string, (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>>>

export type Streams = ReturnType<typeof createStreams>

interface Log {
  info: (message: string) => void
  warn: (facts: object, message: string) => void
}

interface Stream {
  actor: AccountActor
  output: Readable
  isGreeted: boolean
}

/** The streams of `GET /events`, with hints of changes but no content: docs/decisions/0034-live-changes.md. */
export function createStreams(context: Context, sources: Sources, log: Log) {
  const { store } = context
  /** The first stream is the oldest. */
  const open = new Set<Stream>()
  let hints = 0
  let cursor: Cursor | undefined
  let collecting: NodeJS.Timeout | undefined
  /** Steps run one after the other. The next one waits for this promise. */
  let work = Promise.resolve()
  let comments: NodeJS.Timeout | undefined
  let stopWatching: (() => void) | undefined
  let isClosed = false
  let isFailing = false

  function end(stream: Stream): void {
    stream.output.push(null)
    forget(stream)
  }

  function forget(stream: Stream): void {
    if (!open.delete(stream) || open.size > 0) return
    clearInterval(comments)
    stopWatching?.()
    stopWatching = undefined
    cursor = undefined
  }

  function send(stream: Stream, text: string): void {
    // `push` returns false when the client has left too much unread.
    if (text === '' || !stream.isGreeted || !open.has(stream) || stream.output.push(text)) return
    stream.output.destroy()
    forget(stream)
  }

  /** Ends the streams whose session or token has ended, or whose account has another role than at their beginning. */
  async function endDead(checked: readonly Stream[]): Promise<void> {
    const actors = checked.map(({ actor }) => actor)
    const over = new Set(await findEnded(context, actors))
    for (const stream of checked) if (over.has(stream.actor)) end(stream)
  }

  async function toHints(changes: readonly Change[]): Promise<{ ownerId: string; text: string }[]> {
    const found: { ownerId: string; text: string }[] = []
    for (const [resource, of = []] of Map.groupBy(changes, (change) => change.resource)) {
      const read = sources[resource]
      if (!read) continue
      const owners = new Map(of.map((change) => [change.row_id, change.owner_id]))
      const versions = await read(store.db, [...owners.keys()])
      for (const [id, ownerId] of owners) {
        const data = JSON.stringify({ resource, id, version: versions.get(id) ?? null })
        found.push({ ownerId, text: `event: change\ndata: ${data}\n\n` })
      }
    }
    return found
  }

  async function deliver(): Promise<void> {
    if (cursor === undefined) return
    const until = await currentCursor(store.db)
    for await (const changes of changesBetween(store.db, cursor, until)) {
      await pass(changes)
      await untilRead()
    }
    if (open.size > 0) cursor = until
  }

  const isUnread = (): boolean => [...open].some(({ output }) => output.readableLength > 0)

  async function untilRead(): Promise<void> {
    for (let turn = 0; turn < MAX_READ_WAITS && isUnread(); turn += 1) await sleep(READ_WAIT_MS)
  }

  async function pass(changes: readonly Change[]): Promise<void> {
    const accounts = new Set(
      changes.flatMap(({ resource, owner_id }) => (ENDING_STREAMS.has(resource) ? [owner_id] : [])),
    )
    await endDead([...open].filter(({ actor }) => accounts.has(actor.user.id)))
    const found = await toHints(changes)
    for (const stream of open) {
      const { user } = stream.actor
      const seen = found.filter(({ ownerId }) => user.is_superuser || ownerId === user.id)
      hints += seen.length
      send(stream, seen.map(({ text }) => text).join(''))
    }
  }

  function inTurn(step: () => Promise<void>): Promise<void> {
    const done = work.then(step)
    work = done.catch(() => undefined)
    return done
  }

  function begin(step: () => Promise<void>): void {
    void inTurn(async () => {
      try {
        await step()
        if (isFailing) log.info('events available again')
        isFailing = false
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'events unavailable')
        isFailing = true
      }
    })
  }

  function collect(): void {
    collecting ??= setTimeout(() => {
      collecting = undefined
      begin(deliver)
    }, COLLECT_MS).unref()
  }

  function comment(): void {
    for (const stream of open) send(stream, ':\n\n')
    begin(() => endDead([...open]))
  }

  async function start(): Promise<void> {
    const now = cursor ?? (await currentCursor(store.db))
    // While this waited, another stream may have started the watch, or all streams may have ended.
    if (stopWatching || open.size === 0) return
    stopWatching = store.watch(collect)
    cursor = now
    comments = setInterval(comment, COMMENT_MS).unref()
  }

  async function greet(stream: Stream): Promise<void> {
    const { user } = stream.actor
    const recent = await recentChanges(store.db, Object.keys(sources), user.is_superuser ? undefined : user.id)
    const found = await toHints(recent)
    hints += found.length
    stream.isGreeted = true
    send(stream, `event: hello\ndata: {}\n\n${found.map(({ text }) => text).join('')}`)
  }

  return {
    /**
     * Opens a stream. It ends with the session or token of the actor, a change of the role, or a stop of the server. A
     * fifth stream of an account ends its oldest one.
     * @throws DomainError `busy` when the server has 1,000 streams, or stops
     */
    async open(actor: AccountActor): Promise<Readable> {
      if (isClosed) throw new DomainError('busy', 'The server is stopping', { retryAfter: RETRY_AFTER_S })
      const own = [...open].filter((stream) => stream.actor.user.id === actor.user.id)
      if (own.length < MAX_OF_ACCOUNT && open.size >= MAX_STREAMS)
        throw new DomainError('busy', 'The server is busy, please try again', { retryAfter: RETRY_AFTER_S })
      for (const stream of own.slice(0, -MAX_OF_ACCOUNT + 1)) end(stream)
      const output = new Readable({ read() {}, highWaterMark: MAX_UNREAD_BYTES })
      const stream = { actor, output, isGreeted: false }
      output.once('close', () => forget(stream))
      open.add(stream)
      try {
        await start()
        await inTurn(() => greet(stream))
        // The session may have ended since it was checked.
        await endDead([stream])
      } catch (error) {
        forget(stream)
        throw error
      }
      return output
    },
    async close(): Promise<void> {
      isClosed = true
      for (const stream of open) end(stream)
      await work
    },
    load: () => ({ open: open.size, hints }),
  }
}
