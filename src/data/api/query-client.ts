import { MutationCache, type MutationMeta, QueryCache, QueryClient } from '@tanstack/react-query'
import type { Tag } from '../resources'
import { toast } from '../toast'
import { currentUserOptions } from './current-user'
import { errorMessage, errorNote, isAccountInDoubt, isSilent, isTransient, SaveConflict } from './errors'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** It is kept when a session begins or ends. */
      isPublic?: true
    }
    mutationMeta: {
      success?: string | ((answer: unknown) => string)
      /** The tag of lists that contain the returned row. */
      stores?: Tag
      /** Tags to reload after success or a conflict, besides the audit log, which records all changes. */
      invalidates?: Tag[]
      /** Reloads them after other failures, too: without a response, the change may have been made. */
      reloadsOnFailure?: true
      /**
       * How to report an error: by default a toast with the API's message, else a toast with this text, or by the form.
       */
      failure?: { toast: string } | 'form'
    }
  }
}

interface Row {
  id: string
}

/** The tags of a query key; empty if it has none. */
const tagsOf = ([key]: readonly unknown[]): readonly string[] => (key as { tags?: string[] } | undefined)?.tags ?? []

const MAX_RETRIES = 3

/** Creates the query client. Its handlers report mutations according to their `meta`. */
export function createQueryClient(): QueryClient {
  /** Reading a deleted account ends the session. */
  const checkAccount = (error: Error): void => {
    if (isAccountInDoubt(error)) void queryClient.invalidateQueries({ queryKey: currentUserOptions.queryKey })
  }
  const queryClient: QueryClient = new QueryClient({
    defaultOptions: {
      // Offline, requests fail instead of waiting without a word.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (failures, error) => failures < MAX_RETRIES && isTransient(error),
        retryDelay: (failures) => Math.min(1000 * 2 ** failures, 30_000),
        gcTime: 5 * 60_000,
        staleTime: 10_000,
      },
    },
    queryCache: new QueryCache({ onError: checkAccount }),
    mutationCache: new MutationCache({
      onSuccess: (data, _variables, _result, { meta }) => {
        if (meta?.success !== undefined)
          toast.success(typeof meta.success === 'string' ? meta.success : meta.success(data))
        if (meta?.stores) storeRow(meta.stores, data as Row)
        readAgain(meta)
      },
      onError: (error, _variables, _result, { meta }) => {
        checkAccount(error.cause instanceof Error ? error.cause : error)
        if (error instanceof SaveConflict || (meta?.reloadsOnFailure && !isSilent(error))) readAgain(meta)
        if (isSilent(error) || meta?.failure === 'form') return
        toast.error(meta?.failure?.toast ?? errorMessage(error), errorNote(error))
      },
    }),
  })
  /** Shows the saved row in all lists before they reload. Their other rows stay as old as they are. */
  function storeRow(tag: Tag, saved: Row): void {
    for (const { queryKey, state } of queryClient.getQueryCache().findAll({ queryKey: [{ tags: [tag] }] })) {
      const list = state.data as { data?: Row[] } | undefined
      const data = list?.data?.map((row) => (row.id === saved.id ? saved : row))
      if (data) queryClient.setQueryData(queryKey, { ...list, data }, { updatedAt: state.dataUpdatedAt })
    }
  }

  /** Not awaited, so that a dialog closes as soon as the change is made. */
  function readAgain(meta: MutationMeta | undefined): void {
    if (!meta?.invalidates) return
    const stale = new Set<string>([...meta.invalidates, 'audit'])
    void queryClient.invalidateQueries({
      predicate: ({ queryKey }) => tagsOf(queryKey).some((tag) => stale.has(tag)),
    })
  }

  return queryClient
}
