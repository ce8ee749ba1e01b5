import { MutationCache, type MutationMeta, QueryCache, QueryClient } from '@tanstack/react-query'
import { prepareToasts, toast } from '../toast'
import { currentUserOptions } from './current-user'
import { errorMessage, isAccountInDoubt, isSilent, isTransient, SaveConflict } from './errors'

/** The contract's tags: everything that was read under one of them is read again after a change. */
type Tag = 'users' | 'items'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** The toast after it worked. */
      success?: string
      /** What is out of date after it worked, or after something else turned out to be stored. */
      invalidates?: Tag[]
      /** Who shows what went wrong: a toast with the API's words, a toast with these words, or the form itself. */
      failure?: { toast: string } | 'form'
    }
  }
}

const MAX_RETRIES = 3

/** A client with SPEC 9's defaults. All mutations report through its one pair of handlers, by their `meta`. */
export function createQueryClient(): QueryClient {
  /** An account that is gone ends the session when it is read. */
  const checkAccount = (error: Error): void => {
    if (isAccountInDoubt(error)) void queryClient.invalidateQueries({ queryKey: currentUserOptions.queryKey })
  }
  const queryClient: QueryClient = new QueryClient({
    defaultOptions: {
      // Offline a request fails at once, and is said to: none waits to be sent behind somebody's back.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        retry: (failures, error) => failures < MAX_RETRIES && isTransient(error),
        retryDelay: (failures) => Math.min(1000 * 2 ** failures, 30_000),
        gcTime: 5 * 60_000,
        staleTime: 10_000,
      },
    },
    queryCache: new QueryCache({ onError: checkAccount }),
    mutationCache: new MutationCache({
      onMutate: (_variables, { meta }) => {
        if (meta?.success !== undefined || meta?.failure !== 'form') prepareToasts()
      },
      onSuccess: (_data, _variables, _result, { meta }) => {
        if (meta?.success !== undefined) toast.success(meta.success)
        readAgain(meta)
      },
      onError: (error, _variables, _result, { meta }) => {
        checkAccount(error)
        if (error instanceof SaveConflict) readAgain(meta)
        if (isSilent(error) || meta?.failure === 'form') return
        toast.error(meta?.failure?.toast ?? errorMessage(error))
      },
    }),
  })
  /** Not waited for: a dialog closes when the change is made, not when the list has been read again. */
  function readAgain(meta: MutationMeta | undefined): void {
    for (const tag of meta?.invalidates ?? []) void queryClient.invalidateQueries({ queryKey: [{ tags: [tag] }] })
  }

  return queryClient
}
