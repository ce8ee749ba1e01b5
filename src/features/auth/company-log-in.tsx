import { useRouter } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { loginOidcComplete } from '@/client/sdk.gen'
import { buttonClass } from '@/components/ui/button'
import { useIsHydrated } from '@/data/api/instance'
import { dropHandover, readHandover } from '@/data/handover'
import { companyLabel } from '@/data/page-instance'
import type { LogInState } from '@/data/return-to'
import { storeSession } from '@/data/session'

/** A link, because the server redirects the browser to the provider. */
export function CompanyLogIn(props: { name: string; returnTo: LogInState['returnTo']; isOnly: boolean }) {
  const { name, returnTo, isOnly } = props
  const router = useRouter()
  // Until hydration, the link must match the prerendered page, which is the same for all requested pages.
  const isHydrated = useIsHydrated()
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
export function useHandedLogIn() {
  const router = useRouter()
  const [{ oidc, link: handed, oidc_error }] = useState(readHandover)
  const isBegun = useRef(false)
  const [isCompleting, setIsCompleting] = useState(oidc !== undefined)
  const [link, setLink] = useState(handed)
  const [error, setError] = useState<unknown>(null)
  const [providerError, setProviderError] = useState(oidc_error)
  const isHydrated = useIsHydrated()
  const complete = useEffectEvent(async () => {
    try {
      const { data } = await loginOidcComplete({ body: { code: oidc ?? '' } })
      storeSession(data.access_token, { isAtProvider: true })
      await router.navigate({ href: data.return_to, replace: true })
    } catch (failure) {
      setError(failure)
      setIsCompleting(false)
    }
  })
  useEffect(() => {
    dropHandover()
    // A code works only once, but React may run this effect twice.
    if (!isCompleting || isBegun.current) return
    isBegun.current = true
    void complete()
    // oxlint-disable-next-line react/exhaustive-deps -- once for each page
  }, [])
  return {
    isCompleting,
    link,
    endLink: (failure: unknown = null) => {
      setLink(undefined)
      setError(failure)
    },
    error,
    providerError: isHydrated ? providerError : undefined,
    reset: () => {
      setError(null)
      setProviderError(undefined)
    },
  }
}
