import type { MutationMeta, Query, QueryClient } from '@tanstack/react-query'
import { currentUserOptions } from '../api/current-user'
import { tagsLinkedTo } from '../api/query-client'
import { rowsOf } from '../api/resource'
import { versionOf } from '../api/save'
import { resources, type Tag } from '@/lib/resources'
import { type Change, readEvents, SILENCE_MS } from './read-events'
import { holdOwnReads, extendLife, type OwnRead, STALE_MS } from './stale-time'

// All tabs of a browser share one stream of hints (docs/decisions/0034-live-changes.md).

const NAME = 'steward_live'
/** A hidden tab keeps the stream for this time. After a longer gap, a page reads again what it shows. */
const GAP_MS = STALE_MS

/** Pauses in milliseconds, which tests shorten. */
export const waits = {
  /** The pause before connecting and between updates. It doubles after each failure, up to 60 times this value. */
  step: 1_000,
  /** Changes within this time are handled together. The read after an own change waits this long for its hints. */
  collect: 200,
}

/** A message between tabs. A new tab sends `joined`. The tab with the stream sends the other kinds, also to itself. */
interface Message {
  /** `changes` without changes means that the stream is alive. */
  kind: 'joined' | 'begun' | 'changes' | 'ended'
  changes?: Change[]
}

/** Gets the changes, or `undefined` if some may have been missed. */
type ListListener = (changes: readonly Change[] | undefined) => void

/** The lists on the screen by the hash of their query. They update their rows in place. */
const lists = new Map<string, ListListener>()

export function watchList(queryHash: string, listener: ListListener): () => void {
  lists.set(queryHash, listener)
  return () => lists.delete(queryHash)
}

/** Updates what the tab shows while it is visible. @returns a function that stops it */
export function followChanges(queryClient: QueryClient): () => void {
  let channel = 'BroadcastChannel' in window ? new BroadcastChannel(NAME) : undefined
  let connection: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let collected: Change[] = []
  let ownReads: OwnRead[] = []
  let collecting: ReturnType<typeof setTimeout> | undefined
  let lastHandled = 0
  /** The latest hints, which a tab with the stream keeps for tabs that are just opening. */
  let recent: { change: Change; at: number }[] | undefined
  // The page has just read its data.
  let heardAt = Date.now()

  function tell(message: Message): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    channel?.postMessage(message)
  }

  function publish(message: Message): void {
    const now = Date.now()
    const changes = message.changes ?? []
    recent &&= [...recent.filter(({ at }) => at > now - GAP_MS), ...changes.map((change) => ({ change, at: now }))]
    tell(message)
    receive(message)
  }

  function end(): void {
    if (!recent) return
    recent = undefined
    publish({ kind: 'ended' })
  }

  function receive({ kind, changes = [] }: Message): void {
    if (kind === 'joined') {
      if (recent) tell({ kind: 'changes', changes: recent.map(({ change }) => change) })
      return
    }
    if (kind === 'ended') return extendLife(-Infinity)
    extendLife(SILENCE_MS)
    const now = Date.now()
    if (kind === 'begun' && now - heardAt > GAP_MS) readAgain(queryClient, ({ meta }) => !meta?.isPublic)
    heardAt = now
    collected.push(...changes)
    if (collected.length > 0) collecting ??= setTimeout(handle, Math.max(waits.collect, lastHandled + waits.step - now))
  }

  function handle(): void {
    collecting = undefined
    const tags = new Set(collected.map(({ resource }) => resource))
    // The hints of an own change may arrive before its response, so they wait for it.
    const isMaking = ownReads.length === 0 && queryClient.isMutating({ predicate: ({ meta }) => isOf(meta, tags) }) > 0
    if (isMaking) {
      collecting = setTimeout(handle, waits.collect)
      return
    }
    lastHandled = Date.now()
    const [hints, reads] = [collected, ownReads]
    collected = []
    ownReads = []
    // Reads after own changes already cover hints of the same resources.
    const others = hints.filter(({ resource }) => !reads.some((own) => own.tags.has(resource)))
    for (const { read } of reads) read()
    readAccount(queryClient, hints, others)
    void applyChanges(queryClient, others)
  }

  const giveBack = holdOwnReads((own) => {
    ownReads.push(own)
    clearTimeout(collecting)
    collecting = setTimeout(handle, waits.collect)
  })

  /** Reads the account, because a 401 ends the session in this tab, too. */
  async function endSessionIfOver(signal: AbortSignal): Promise<void> {
    // Waits for running mutations, because one of them may be ending the session.
    do await pause(waits.step, signal)
    while (queryClient.isMutating() > 0 && !signal.aborted)
    if (!signal.aborted) void queryClient.invalidateQueries({ queryKey: currentUserOptions.queryKey })
  }

  async function keepReading(signal: AbortSignal): Promise<void> {
    let delay = waits.step
    while (!signal.aborted) {
      let begunAt = Infinity
      const onHello = (): void => {
        begunAt = Date.now()
        recent = []
        publish({ kind: 'begun' })
      }
      const onPart = (changes: Change[]): void => publish({ kind: 'changes', changes })
      try {
        const refusal = await readEvents({ onHello, onPart }, signal)
        if (refusal === 401) await endSessionIfOver(signal)
        // Returning releases the lock for another tab, which may have begun a new session.
        if (refusal !== undefined) return
      } catch {
        // The stream begins again after a pause.
      } finally {
        end()
      }
      // A short stream means that a proxy cuts streams, or the account has too many. Then the pause grows.
      if (Date.now() - begunAt > GAP_MS) delay = waits.step
      await pause(delay * (0.5 + Math.random() / 2), signal)
      delay = Math.min(delay * 2, 60 * waits.step)
    }
  }

  function connect(): void {
    if (connection) return
    connection = new AbortController()
    const { signal } = connection
    // Locks need a secure origin. Without them, each visible tab has a stream.
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
    timer = setTimeout(document.hidden ? disconnect : connect, document.hidden ? GAP_MS : 0)
  }

  timer = setTimeout(() => !document.hidden && connect(), waits.step)
  document.addEventListener('visibilitychange', onVisibility)
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => receive(data))
  tell({ kind: 'joined' })
  return () => {
    clearTimeout(timer)
    clearTimeout(collecting)
    document.removeEventListener('visibilitychange', onVisibility)
    disconnect()
    giveBack()
    extendLife(-Infinity)
    channel?.close()
    channel = undefined
  }
}

/** Whether a query may contain one of the rows. The key of a query for a single row contains its id. */
function shows({ queryKey }: Query, tag: string, ids: ReadonlySet<string>): boolean {
  const { tags = [], id, path } = (queryKey[0] ?? {}) as { tags?: readonly string[]; id?: string; path?: object }
  const named = [...(id === undefined ? [] : [id]), ...(Object.values(path ?? {}) as string[])]
  return tags.includes(tag) && (named.length === 0 || named.some((each) => ids.has(each)))
}

const refetchType = () => (document.hidden ? 'none' : 'active')

const listenerOf = ({ queryHash }: Query) => (document.hidden ? undefined : lists.get(queryHash))

/** Reads queries on the screen again, or lets lists update their rows. A hidden tab only marks them as stale. */
function readAgain(queryClient: QueryClient, isStale: (query: Query) => boolean, changes?: readonly Change[]): void {
  const stale = queryClient.getQueryCache().findAll({ predicate: isStale })
  const predicate = (query: Query): boolean => stale.includes(query) && !listenerOf(query)
  void queryClient.invalidateQueries({ predicate, refetchType: refetchType() }, { cancelRefetch: false })
  for (const query of stale) listenerOf(query)?.(changes)
}

/** A mutation without `invalidates` counts for all tags, because it may end the session. */
function isOf(meta: MutationMeta | undefined, tags: ReadonlySet<string>): boolean {
  return meta?.invalidates?.some((tag) => tags.has(tag)) ?? true
}

/** Accounts always count as changed, because some of their fields are not part of their version. */
function isNews({ state }: Query, { resource, id, version }: Change): boolean {
  const row = rowsOf<{ id?: string }>(state.data).find((one) => one.id === id)
  return resource === 'users' || row === undefined || version === null || versionOf(row) !== version
}

async function applyChanges(queryClient: QueryClient, hints: readonly Change[]): Promise<void> {
  const all = [...hints, ...hints.flatMap((hint) => rowsOfDeleted(queryClient, hint))]
  for (const [tag, of = []] of Map.groupBy(all, ({ resource }) => resource)) {
    const ids = new Set(of.map(({ id }) => id))
    const cache = queryClient.getQueryCache()
    // A read that began before the change may return the old rows.
    const begun = cache.findAll({ fetchStatus: 'fetching', predicate: (query) => shows(query, tag, ids) })
    await Promise.allSettled(begun.map((query) => query.fetch()))
    const isOld = (query: Query): boolean => shows(query, tag, ids) && of.some((change) => isNews(query, change))
    readAgain(queryClient, isOld, of)
    // Rows that link to changed rows show their names, but get no hints when a name changes.
    for (const linked of tagsLinkedTo([tag as Tag]))
      void queryClient.invalidateQueries({ queryKey: [{ tags: [linked] }], refetchType: 'none' })
  }
}

/** Makes hints for rows of a deleted account, because the server sends none: one for each known row, one for others. */
function rowsOfDeleted(queryClient: QueryClient, { resource, id: owner, version }: Change): Change[] {
  if (resource !== 'users' || version !== null) return []
  return resources.flatMap(({ tag }) => {
    const answers = queryClient.getQueriesData({ queryKey: [{ tags: [tag] }] })
    const known = answers.flatMap(([, answer]) => rowsOf<{ id: string; owner_id?: string }>(answer))
    const ids = known.filter((row) => row.owner_id === owner).map(({ id }) => id)
    return [owner, ...new Set(ids)].map((id) => ({ resource: tag, id, version: null }))
  })
}

/** Reads the user again after hints about the account. @param others hints of changes that this tab did not make */
function readAccount(queryClient: QueryClient, hints: readonly Change[], others: readonly Change[]): void {
  const { queryKey } = currentUserOptions
  const user = queryClient.getQueryData(queryKey)
  const isOther = (change: Change): boolean =>
    change.resource === 'users' &&
    change.id === user?.id &&
    (others.includes(change) || change.version !== versionOf(user))
  if (hints.some(isOther)) void queryClient.invalidateQueries({ queryKey, refetchType: refetchType() })
}

/** Ends early when the signal is aborted or the network returns. */
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
