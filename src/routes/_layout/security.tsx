import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { usersReadOwnSessionsOptions } from '@/client/@tanstack/react-query.gen'
import { lazyPage } from '@/components/lazy'
import { ownApiTokens } from '@/data/api/api-tokens'
import { currentUserOptions, hasCapabilities } from '@/data/api/current-user'
import { prefetchOwnWays } from '@/data/api/use-instance'
import { mayReadAhead } from '@/data/read-ahead'
import { screens } from '@/lib/screens'
import { apiTokenDialogs } from '@/features/api-tokens/api-tokens-search'
import { identityDialogs } from '@/features/identities/identities-search'
import { passkeyDialogs } from '@/features/passkeys/passkeys-search'
import { secondFactorDialogs } from '@/features/second-factor/second-factor-search'

const dialogs = { ...secondFactorDialogs, ...passkeyDialogs, ...identityDialogs, ...apiTokenDialogs }

export const Route = createFileRoute('/_layout/security')({
  staticData: { ...screens['/security'], dialogs: Object.keys(dialogs) },
  validateSearch: z.object(dialogs),
  loader: ({ context: { queryClient }, preload }) => {
    const self = queryClient.getQueryData(currentUserOptions.queryKey)
    if ((preload && !mayReadAhead()) || (self && !hasCapabilities(self))) return
    void prefetchOwnWays(queryClient)
    void queryClient.prefetchQuery(usersReadOwnSessionsOptions())
    void queryClient.prefetchQuery(ownApiTokens)
  },
  component: lazyPage(async () => {
    const [
      { SecurityPage },
      { PasskeysSection },
      { SecondFactorSection },
      { IdentitiesSection },
      { ApiTokensSection },
    ] = await Promise.all([
      import('@/features/security/security-page'),
      import('@/features/passkeys/passkeys-section'),
      import('@/features/second-factor/second-factor-section'),
      import('@/features/identities/identities-section'),
      import('@/features/api-tokens/api-tokens-section'),
    ])
    return function Page() {
      return (
        <>
          <SecurityPage>
            <PasskeysSection />
            <SecondFactorSection />
            <IdentitiesSection />
          </SecurityPage>
          <ApiTokensSection />
        </>
      )
    }
  }),
})
