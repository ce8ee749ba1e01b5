import type { Query, QueryClient } from '@tanstack/react-query'
import { currentUserOptions } from '../api/current-user'
import { ifMatch } from '../api/version'
import { tagsLinkedTo } from '../links'
import { resources, type Tag } from '../resources'
import { forgetHeld, withoutHeld } from './own-hints'
import { type Change, readEvents, Refused, SILENCE_MS } from './read-events'
import { noteAlive } from './stale-time'

// One stream of hints for all tabs of a browser: docs/decisions/0034-live-changes.md.

const NAME = 'steward_live'
const MAX_DELAY_MS = 60_000
/** How long a hidden tab keeps the stream. */
const HIDDEN_MS = 10_000
/** A page that had no stream for so long has missed changes. A stream that lasted so long is no failed attempt. */
const GAP_MS = 10_000
/** Changes that come together are handled together. */
const COLLECT_MS = 100
/** What was read so long before a stream began counts as read after it. */
const READ_MS = 3_000
/** Between two streams: longer than from one comment to the next. */
const SHORT_GAP_MS = 20_000
/** The time of a change may be so much earlier than its commit. */
const COMMIT_MS = 30_000

/** In milliseconds. Tests wait less. */
export const waits = {
  /** Before the first stream. A page has its first data by then. */
  start: 1_000,
  /** Before the second attempt; then doubled. */
  retry: 1_000,
  /** From one update to the next. */
  pause: 2_000,
}

/** What the tab with the stream tells all others, and itself, but for `joined`, which a new tab says. */
interface Message {
  /** `changes` also says that the stream is alive, without changes. */
  kind: 'joined' | 'begun' | 'changes' | 'ended'
  changes?: Change[]
  /** What was read before may be older than the last change. */
  staleBefore?: number | undefined
}

/** What a shown list learns: changes, or that what was read before a time may be old. */
type ListListener = (news: readonly Change[] | number) => void

/** The shown lists by the hash of their query. They update their rows in place. */
const lists = new Map<string, ListListener>()

/** @returns a function that removes the listener */
export function watchList(queryHash: string, listener: ListListener): () => void {
  lists.set(queryHash, listener)
  return () => lists.delete(queryHash)
}

/** Keeps what is shown up to date while the tab is visible. @returns a function that stops it */
export function followChanges(queryClient: QueryClient): () => void {
  let channel = 'BroadcastChannel' in window ? new BroadcastChannel(NAME) : undefined
  let connection: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let collected: Change[] = []
  let collecting: ReturnType<typeof setTimeout> | undefined
  let lastHandled = 0
  /** Set while this tab has the stream. */
  let staleBefore: number | undefined
  let hasBegun = false
  let heardAt = -Infinity
  const startedAt = Date.now()

  function tell(message: Message): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    channel?.postMessage(message)
  }

  function publish(message: Message): void {
    tell(message)
    receive(message)
  }

  function end(): void {
    if (staleBefore === undefined) return
    staleBefore = undefined
    publish({ kind: 'ended' })
  }

  function receive({ kind, changes = [], staleBefore: time = -Infinity }: Message): void {
    if (kind === 'joined') {
      if (staleBefore !== undefined) tell({ kind: 'changes', staleBefore })
      return
    }
    noteAlive(kind === 'ended' ? 0 : SILENCE_MS)
    const now = Date.now()
    if (kind === 'begun' || !hasBegun) {
      // Before the first stream, the page has just been read. Another tab may have had one before.
      const hasGap = hasBegun || now - startedAt > GAP_MS
      // Such as when another tab takes it over. A back end may not say when something has changed.
      const hasMissedNothing = now - heardAt < SHORT_GAP_MS && time < heardAt - COMMIT_MS && time !== -Infinity
      readAgain(queryClient, hasGap && !hasMissedNothing ? Math.max(time, now - READ_MS) : time)
      hasBegun = true
    }
    heardAt = now
    const others = withoutHeld(changes, collect)
    readAccount(queryClient, changes, others)
    collect(others)
  }

  function collect(changes: readonly Change[]): void {
    collected.push(...changes)
    if (collected.length === 0) return
    collecting ??= setTimeout(handle, Math.max(COLLECT_MS, lastHandled + waits.pause - Date.now()))
  }

  function handle(): void {
    collecting = undefined
    lastHandled = Date.now()
    const changes = collected
    collected = []
    void applyChanges(queryClient, changes)
  }

  /** Reading the account ends a session that the server has ended. */
  async function endSessionIfOver(signal: AbortSignal): Promise<void> {
    // This page may be ending it itself, such as with its account.
    await pause(waits.retry, signal)
    if (!signal.aborted) void queryClient.invalidateQueries({ queryKey: currentUserOptions.queryKey })
  }

  async function keepReading(signal: AbortSignal): Promise<void> {
    let delay = waits.retry
    while (!signal.aborted) {
      const askedAt = Date.now()
      let begunAt = Infinity
      // What was read just before a change may have come later, by about as long as the stream took.
      const onHello = (quietMs: number): void => {
        begunAt = Date.now()
        staleBefore = begunAt - quietMs + begunAt - askedAt
        publish({ kind: 'begun', staleBefore })
      }
      const onPart = (changes: Change[]): void => {
        if (changes.length > 0) staleBefore = Date.now() + begunAt - askedAt
        publish({ kind: 'changes', changes, staleBefore })
      }
      try {
        await readEvents({ onHello, onPart }, signal)
      } catch (error) {
        if (error instanceof Refused) {
          if (error.status === 401) await endSessionIfOver(signal)
          // Another tab may have another session by now.
          return
        }
      } finally {
        end()
      }
      // One that ends soon gives way to a fifth of the account, or a proxy cuts it.
      if (Date.now() - begunAt > GAP_MS) delay = waits.retry
      await pause(delay * (0.5 + Math.random() / 2), signal)
      delay = Math.min(delay * 2, MAX_DELAY_MS)
    }
  }

  function connect(): void {
    if (connection) return
    connection = new AbortController()
    const { signal } = connection
    // Insecure pages have no locks. Each visible tab then has a stream.
    if (!('locks' in navigator)) return void keepReading(signal)
    navigator.locks.request(NAME, { signal }, () => keepReading(signal)).catch(() => undefined)
  }

  function disconnect(): void {
    connection?.abort()
    connection = undefined
    end()
  }

  function onVisibility(): void {
    clearTimeout(timer)
    timer = setTimeout(document.hidden ? disconnect : connect, document.hidden ? HIDDEN_MS : 0)
  }

  timer = setTimeout(() => !document.hidden && connect(), waits.start)
  document.addEventListener('visibilitychange', onVisibility)
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => receive(data))
  tell({ kind: 'joined' })
  return () => {
    clearTimeout(timer)
    clearTimeout(collecting)
    document.removeEventListener('visibilitychange', onVisibility)
    disconnect()
    forgetHeld()
    channel?.close()
    channel = undefined
  }
}

interface Key {
  tags?: readonly string[]
  id?: string
  path?: object
}

/** Whether a query may show one of the rows. Those of a single row have its id. */
function shows({ queryKey }: Query, tag: string, ids: ReadonlySet<string>): boolean {
  const { tags = [], id, path } = (queryKey[0] ?? {}) as Key
  const named = [...(id === undefined ? [] : [id]), ...(Object.values(path ?? {}) as string[])]
  return tags.includes(tag) && (named.length === 0 || named.some((each) => ids.has(each)))
}

/** A list that is shown updates its rows itself. */
const isInPlace = ({ queryHash }: Query): boolean => !document.hidden && lists.has(queryHash)

/** Tells the lists that are shown. */
function tellLists(queries: readonly Query[], news: readonly Change[] | number): void {
  for (const query of queries) if (isInPlace(query)) lists.get(query.queryHash)?.(news)
}

/** Reads again what is shown of the rows, and marks the rest. A hidden tab only marks. */
async function applyChanges(queryClient: QueryClient, hints: readonly Change[]): Promise<void> {
  const changes = [...hints, ...hints.flatMap((hint) => rowsOfDeleted(queryClient, hint))]
  for (const [tag, of = []] of Map.groupBy(changes, ({ resource }) => resource)) {
    const ids = new Set(of.map(({ id }) => id))
    const cache = queryClient.getQueryCache()
    // A read that has begun may bring the rows from before the change.
    const begun = cache.findAll({ fetchStatus: 'fetching', predicate: (query) => shows(query, tag, ids) })
    await Promise.allSettled(begun.map((query) => query.fetch()))
    const refetchType = document.hidden ? 'none' : 'active'
    void queryClient.invalidateQueries(
      { predicate: (query) => !isInPlace(query) && shows(query, tag, ids), refetchType },
      { cancelRefetch: false },
    )
    // Their rows show names of these, and have no hints of them.
    for (const linked of tagsLinkedTo([tag as Tag]))
      void queryClient.invalidateQueries({ queryKey: [{ tags: [linked] }], refetchType: 'none' })
    tellLists(cache.findAll({ predicate: (query) => shows(query, tag, ids) }), of)
  }
}

interface Owned {
  id: string
  owner_id?: string
}

/** The rows of an account go with it, and have no hints of their own. Those that are not known have one together. */
function rowsOfDeleted(queryClient: QueryClient, { resource, id: owner, version }: Change): Change[] {
  if (resource !== 'users' || version !== null) return []
  return resources.flatMap(({ tag }) => {
    const read = queryClient.getQueriesData<{ data?: Owned[] } & Owned>({ queryKey: [{ tags: [tag] }] })
    const known = read.flatMap(([, answer]) => answer?.data ?? answer ?? []).filter((row) => row.owner_id === owner)
    return [owner, ...new Set(known.map(({ id }) => id))].map((id) => ({ resource: tag, id, version: null }))
  })
}

/**
 * Reads the current user again if a hint tells of a change of others, or of another state.
 * @param others of others; not each of these has another version, such as a confirmed address
 */
function readAccount(queryClient: QueryClient, changes: readonly Change[], others: readonly Change[]): void {
  const { queryKey } = currentUserOptions
  const user = queryClient.getQueryData(queryKey)
  const isOther = (change: Change): boolean =>
    change.resource === 'users' &&
    change.id === user?.id &&
    (others.includes(change) || change.version !== ifMatch(user)['If-Match'])
  if (changes.some(isOther))
    void queryClient.invalidateQueries({ queryKey, refetchType: document.hidden ? 'none' : 'active' })
}

/** Reads once what is shown and was read before a time, and marks the rest. A hidden tab only marks. */
function readAgain(queryClient: QueryClient, until: number): void {
  const isOld = ({ state, meta }: Query): boolean => !meta?.isPublic && state.dataUpdatedAt < until
  void queryClient.invalidateQueries(
    {
      predicate: (query) => isOld(query) && !isInPlace(query),
      refetchType: document.hidden ? 'none' : 'active',
    },
    { cancelRefetch: false },
  )
  tellLists(queryClient.getQueryCache().findAll({ predicate: isOld }), until)
}

/** Ends early when the signal is aborted, or the network is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController()
    const end = (): void => {
      clearTimeout(timer)
      over.abort()
      resolve()
    }
    const timer = setTimeout(end, signal.aborted ? 0 : ms)
    signal.addEventListener('abort', end, { signal: over.signal })
    window.addEventListener('online', end, { signal: over.signal })
  })
}
