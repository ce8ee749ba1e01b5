import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { lazyPage } from '@/components/lazy'
import { prefetchWays } from '@/data/api/ways-in'
import { mayPrefetch } from '@/data/prefetch'
import { screens } from '@/lib/screens'
import { ownDialogs } from '@/features/ways-in/ways-in-search'

export const Route = createFileRoute('/_layout/security')({
  staticData: { ...screens['/security'], dialogs: Object.keys(ownDialogs) },
  validateSearch: z.object(ownDialogs),
  loader: ({ context: { queryClient }, preload }) => {
    if (!preload || mayPrefetch()) void prefetchWays(queryClient, 'me')
  },
  component: lazyPage(async () => (await import('@/features/ways-in/own/security-page')).SecurityPage),
})
