import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy/lazy'
import { toPasskeysSearch } from '@/features/passkeys/passkeys-search'

export const Route = createFileRoute('/_layout/security')({
  staticData: { title: 'Security', isExtension: true },
  validateSearch: toPasskeysSearch,
  component: lazyPage(async () => {
    const [{ SecurityPage }, { PasskeysSection }] = await Promise.all([
      import('@/features/security/security-page'),
      import('@/features/passkeys/passkeys-section'),
    ])
    return function Page() {
      return (
        <SecurityPage>
          <PasskeysSection />
        </SecurityPage>
      )
    }
  }),
})
