import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { passkeyDialogs } from '@/features/passkeys/passkeys-search'
import { secondFactorDialogs } from '@/features/second-factor/second-factor-search'
import { readDialog } from '@/lib/dialog-search'

export const Route = createFileRoute('/_layout/security')({
  staticData: { title: 'Security', isExtension: true },
  validateSearch: readDialog(secondFactorDialogs, passkeyDialogs),
  component: lazyPage(async () => {
    const [{ SecurityPage }, { PasskeysSection }, { SecondFactorSection }] = await Promise.all([
      import('@/features/security/security-page'),
      import('@/features/passkeys/passkeys-section'),
      import('@/features/second-factor/second-factor-section'),
    ])
    return function Page() {
      return (
        <SecurityPage>
          <PasskeysSection />
          <SecondFactorSection />
        </SecurityPage>
      )
    }
  }),
})
