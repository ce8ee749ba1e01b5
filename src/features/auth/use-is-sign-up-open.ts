import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { instanceReadInstanceOptions } from '@/client/@tanstack/react-query.gen'

const isOpenIn = (queryClient: QueryClient) =>
  queryClient.getQueryData(instanceReadInstanceOptions().queryKey)?.sign_up !== 'closed'

/** Whether people can make an account themselves. Until the back end says otherwise, they can. */
export function useIsSignUpOpen(): boolean {
  const queryClient = useQueryClient()
  const [isOpen, setOpen] = useState(() => isOpenIn(queryClient))
  // Not by `useQuery`, whose code comes with the shell.
  useEffect(() => {
    void queryClient
      .prefetchQuery({ ...instanceReadInstanceOptions(), staleTime: 60_000 })
      .then(() => setOpen(isOpenIn(queryClient)))
  }, [queryClient])
  return isOpen
}
