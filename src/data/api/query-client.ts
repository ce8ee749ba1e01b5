import { MutationCache, type MutationMeta, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { isAlive, readAfterHints, STALE_MS } from '../live/stale-time'
import { toast } from '@/browser/toast'
import { links, type Tag } from '@/lib/resources'
import type { PageOf } from './list'
import { currentUserOptions } from './current-user'
import { errorMessage, errorNote, mayAccountBeGone, isSilent, isTransient, SaveConflict } from './errors'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The data is the same for all users, so it is kept when a session begins or ends. */
      isPublic?: true
    }
    mutationMeta: {
      success?: string | ((answer: unknown) => string)
      /** The tag of lists that show the returned row. */
      stores?: Tag
      /** The tag of lists that begin with the returned row, unless they are filtered or sorted. */
      adds?: Tag
      /** Rows to change in all lists of a tag. If `fields` is null, they are removed. */
      rows?: { tag: Tag; ids: (answer: unknown) => readonly string[]; fields: object | null }
      /** Whether rows change that are not in the response. Reads wait for the stream of events, which names them. */
      changesMore?: boolean
      /** Tags to reload after success or a conflict. The audit log is always reloaded. */
      invalidates?: Tag[]
      /** Whether to reload after any failure, because a change may have been made even without a response. */
      reloadsOnFailure?: true
      /** Shows an error in a toast with the API's message (default), in one with this text, or in the form. */
      failure?: { toast: string } | 'form'
    }
  }
}

interface Row {
  id: string
}

type Rows = PageOf<Row>

const tagsOf = ([key]: readonly unknown[]): readonly string[] => (key as { tags?: string[] } | undefined)?.tags ?? []

/** Tags of lists that show names of rows with the given tags, so that both become stale together. */
export const tagsLinkedTo = (tags: readonly Tag[]): Tag[] =>
  links.filter(({ to }) => tags.includes(to)).map(({ from }) => from)

const MAX_RETRIES = 3

export function createQueryClient(): QueryClient {
  // If the account was deleted, reading the current user ends the session.
  const checkAccount = (error: Error): void => {
    if (mayAccountBeGone(error)) void queryClient.invalidateQueries({ queryKey: currentUserOptions.queryKey })
  }
  const queryClient: QueryClient = new QueryClient({
    defaultOptions: {
      // Without a network, requests fail at once instead of waiting silently.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (failures, error) => failures < MAX_RETRIES && isTransient(error),
        retryDelay: (failures) => Math.min(1000 * 2 ** failures, 30_000),
        gcTime: 5 * 60_000,
        staleTime: STALE_MS,
      },
    },
    queryCache: new QueryCache({ onError: checkAccount }),
    mutationCache: new MutationCache({
      onSuccess: (data, _variables, _result, mutation) => {
        const { meta } = mutation
        if (meta?.success !== undefined)
          toast.success(typeof meta.success === 'string' ? meta.success : meta.success(data))
        showChange(meta, data)
        readAgain(meta, { answer: data })
      },
      onError: (error, _variables, _result, mutation) => {
        const { meta } = mutation
        checkAccount(error.cause instanceof Error ? error.cause : error)
        if (error instanceof SaveConflict || (meta?.reloadsOnFailure && !isSilent(error))) readAgain(meta)
        if (isSilent(error) || meta?.failure === 'form') return
        toast.error(meta?.failure?.toast ?? errorMessage(error), errorNote(error))
      },
    }),
  })
  function showChange(meta: MutationMeta | undefined, answer: unknown): void {
    const { stores, adds, rows } = meta ?? {}
    if (adds) changeLists(adds, (list, query) => addRow(list, query, answer as Row))
    if (stores) changeLists(stores, (known) => storeRow(known, answer as Row))
    if (!rows) return
    const { tag, ids, fields } = rows
    const changed = new Set(ids(answer))
    changeLists(tag, (list) => changeRows(list, changed, fields))
  }

  /** Keeps `dataUpdatedAt`, because the other rows of the list were not read again. */
  function changeLists(tag: Tag, change: (data: object, query: Query) => object): void {
    for (const query of queryClient.getQueryCache().findAll({ queryKey: [{ tags: [tag] }] })) {
      const { data, dataUpdatedAt } = query.state
      const next = typeof data === 'object' && data !== null ? change(data, query) : data
      if (next !== data) queryClient.setQueryData(query.queryKey, next, { updatedAt: dataUpdatedAt })
    }
  }

  /** Does not wait for reads, so that dialogs close at once. @param made a change, whose returned row is not read */
  function readAgain(meta?: MutationMeta, made?: { answer: unknown }): void {
    if (!meta?.invalidates) return
    const { invalidates, stores, adds, rows, changesMore } = meta
    const stale: ReadonlySet<string> = new Set([...invalidates, ...tagsLinkedTo(invalidates), 'audit'])
    const isStale = ({ queryKey }: Query): boolean => tagsOf(queryKey).some((tag) => stale.has(tag))
    const { id } = (made?.answer ?? {}) as Partial<Row>
    const toRead = (query: Query): boolean =>
      isStale(query) && (id === undefined || (query.state.data as Row | undefined)?.id !== id)
    // The server may have answered these prefetches before the change.
    queryClient.removeQueries({ predicate: isStale, type: 'inactive', fetchStatus: 'fetching' })
    void queryClient.invalidateQueries({ predicate: isStale, refetchType: 'none' })
    const read = (fetchStatus?: 'fetching') =>
      void queryClient.refetchQueries({ predicate: toRead, type: 'active', ...(fetchStatus && { fetchStatus }) })
    const hasHints = [stores, adds, rows, changesMore].some(Boolean)
    if (!made || !hasHints || !isAlive()) return read()
    // Running requests may return the rows as they were before the change, so they start again.
    read('fetching')
    readAfterHints({ tags: stale, read })
  }

  return queryClient
}

const isList = (data: object): data is Rows => 'data' in data && Array.isArray(data.data)

/** A row stays in its place until the list is read again, even if it is now sorted or filtered differently. */
function storeRow(known: object, saved: Row): object {
  return (known as Row).id === saved.id ? saved : changeRows(known, new Set([saved.id]), saved)
}

function changeRows(list: object, ids: ReadonlySet<string>, fields: object | null): object {
  if (!isList(list) || !list.data.some(({ id }) => ids.has(id))) return list
  const data = list.data.flatMap((row) => (!ids.has(row.id) ? row : fields ? { ...row, ...fields } : []))
  return { ...list, data, count: list.count - list.data.length + data.length }
}

function addRow(list: object, { queryKey }: Query, added: Row): object {
  const { skip, limit = 0, ...filters } = (queryKey[0] as { query?: { skip?: number; limit?: number } }).query ?? {}
  const isFirstPage = skip === 0 && Object.keys(filters).length === 0
  if (!isFirstPage || !isList(list) || list.data.some(({ id }) => id === added.id)) return list
  return { ...list, data: [added, ...list.data].slice(0, limit), count: list.count + 1 }
}
