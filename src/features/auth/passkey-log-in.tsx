import { KeyRound } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '@/components/ui/button'
import { ApiError, errorMessage, errorNote } from '@/data/api/errors'
import { useOffersPasskeys } from '@/data/api/instance'
import { useRequest } from '@/data/api/use-request'
import { beginSession } from '@/data/session'
import { toast } from '@/browser/toast'
import { logInByAutofill, logInByPasskey } from '@/data/webauthn'
import { OrDivider } from './auth-page'

export function PasskeyLogIn({ isSuggested }: { isSuggested: boolean }) {
  const isOffered = useOffersPasskeys()
  const logIn = usePasskeyLogIn()
  const isWaiting = isSuggested && isOffered && !logIn.pending
  useEffect(() => {
    if (!isWaiting) return
    const controller = new AbortController()
    void suggest(controller.signal)
    return () => controller.abort()
  }, [isWaiting])
  return (
    // The hidden button keeps its room, so that nothing moves when it appears.
    <div style={isOffered ? undefined : { visibility: 'hidden' }}>
      {isSuggested && <OrDivider />}
      <PasskeyButton logIn={logIn} />
    </div>
  )
}

export function usePasskeyLogIn() {
  return useRequest({ mutationFn: async () => beginSession(await logInByPasskey()) })
}

export function PasskeyButton({ logIn }: { logIn: ReturnType<typeof usePasskeyLogIn> }) {
  return (
    <Button variant="secondary" className="mt-3 w-full" pending={logIn.pending} onClick={() => logIn.send()}>
      <KeyRound aria-hidden />
      Log in with a passkey
    </Button>
  )
}

async function suggest(signal: AbortSignal): Promise<void> {
  try {
    const token = await logInByAutofill(signal)
    if (token !== null) await beginSession(token)
  } catch (error) {
    // A failed suggestion is ignored. But if the person has chosen a passkey, they are told that it was refused.
    if (error instanceof ApiError && !signal.aborted) toast.error(errorMessage(error), errorNote(error))
  }
}
