import { useHydrated, useRouter } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { loginOidcComplete } from '@/client/sdk.gen'
import { buttonClass } from '@/components/ui/button'
import { UserError } from '@/data/api/errors'
import { dropHandover, readHandover } from '@/data/handover'
import { companyLabel } from '@/data/page-instance'
import { providerErrorText } from '@/data/provider-errors'
import type { LogInState } from '@/data/return-to'
import { storeSession } from '@/data/session'

/** A link, because the server redirects the browser to the provider. */
export function CompanyLogIn(props: { name: string; returnTo: LogInState['returnTo']; isOnly: boolean }) {
  const { name, returnTo, isOnly } = props
  const router = useRouter()
  // Until hydration, the link must match the prerendered page, which is the same for all requested pages.
  const isHydrated = useHydrated()
  const { pathname: to = '/', search = {} } = (isHydrated && returnTo) || {}
  const path = isHydrated ? router.buildLocation({ to, search } as never).href : to
  return (
    <a
      href={`${import.meta.env.VITE_API_URL || ''}/api/v1/login/oidc?${new URLSearchParams({ return_to: path })}`}
      className={buttonClass(isOnly ? 'primary' : 'secondary', 'default', 'w-full')}
    >
      <Building2 aria-hidden />
      <span data-company className="truncate">
        {companyLabel(name)}
      </span>
    </a>
  )
}

/** Completes a log-in at the provider with the code in the URL. A log-in link waits for a click instead. */
export function useHandedLogIn(provider: string | undefined) {
  const router = useRouter()
  const [handed, setHanded] = useState<ReturnType<typeof readHandover> & { error?: unknown }>(readHandover)
  const { oidc, link, oidc_error } = handed
  const refused = useHydrated() && oidc_error ? new UserError(providerErrorText(oidc_error, provider)) : null
  const end = (failure?: unknown): void => setHanded({ error: failure })
  async function complete(code: string): Promise<void> {
    try {
      const { data } = await loginOidcComplete({ body: { code } })
      storeSession(data.access_token, { isAtProvider: true })
      await router.navigate({ href: data.return_to, replace: true })
    } catch (failure) {
      end(failure)
    }
  }
  useEffect(() => {
    // A code works only once. If React runs this effect again, there is no code any more.
    const { oidc: code } = readHandover()
    dropHandover()
    if (code !== undefined) void complete(code)
    // oxlint-disable-next-line react/exhaustive-deps -- once for each page
  }, [])
  return { isCompleting: oidc !== undefined, link, error: handed.error ?? refused, end }
}
