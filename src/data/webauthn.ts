import {
  browserSupportsWebAuthnAutofill,
  sendSignal,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
  type WebAuthnErrorCode,
} from '@simplewebauthn/browser'
import {
  loginPasskey,
  loginPasskeyOptions,
  usersConfirm,
  usersConfirmOptions,
  usersCreatePasskey,
  usersPasskeyOptions,
} from '@/client/sdk.gen'
import type { PasskeyPublic } from '@/client/types.gen'
import { Cancelled, isGone, UserError } from './api/errors'
import { describeUserAgent } from '@/lib/user-agent'

// A ceremony is the exchange that creates or uses a passkey. The library ends an open one before it begins another.

/** Suggestions are renewed before the server's challenge expires. */
const RENEW_MS = 4 * 60_000

/** @returns the access token; `null` if the browser has no such autofill, or if the signal ended the log-in */
export async function logInByAutofill(signal: AbortSignal): Promise<string | null> {
  if (!(await browserSupportsWebAuthnAutofill())) return null
  while (!signal.aborted) {
    await visible(signal)
    const renewal = AbortSignal.timeout(RENEW_MS)
    try {
      return await logInByPasskey(AbortSignal.any([signal, renewal]))
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error
      if (!renewal.aborted) return null
    }
  }
  return null
}

function visible(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** @param suggestion ends a suggestion in the email field @returns the access token */
export async function logInByPasskey(suggestion?: AbortSignal): Promise<string> {
  const { data: begun } = await loginPasskeyOptions(suggestion && { signal: suggestion }).catch((error: unknown) => {
    throw suggestion?.aborted ? new Cancelled() : error
  })
  suggestion?.addEventListener('abort', endCeremony)
  const credential = await startAuthentication({
    optionsJSON: begun.options,
    useBrowserAutofill: suggestion !== undefined,
  })
    .catch(explain)
    .finally(() => suggestion?.removeEventListener('abort', endCeremony))
  if (suggestion?.aborted) throw new Cancelled()
  try {
    const { data } = await loginPasskey({ body: { ceremony: begun.ceremony, credential } })
    return data.access_token
  } catch (error) {
    // The passkey was deleted, so the browser should stop offering it.
    const passkey = { rpID: begun.options.rpId, credentialID: credential.id }
    if (isGone(error)) await sendSignal({ signalName: 'unknownCredential', ...passkey }).catch(ignore)
    throw error
  }
}

const endCeremony = () => WebAuthnAbortService.cancelCeremony()

export async function confirmByPasskey(): Promise<void> {
  const { data: begun } = await usersConfirmOptions()
  const credential = await startAuthentication({ optionsJSON: begun.options }).catch(explain)
  await usersConfirm({ body: { ceremony: begun.ceremony, credential } })
}

export async function createPasskey(): Promise<PasskeyPublic> {
  const { data: begun } = await usersPasskeyOptions()
  const credential = await startRegistration({ optionsJSON: begun.options }).catch(explain)
  const body = { ceremony: begun.ceremony, credential, name: describeUserAgent(navigator.userAgent) }
  return (await usersCreatePasskey({ body })).data
}

const cannotKeep = 'This device cannot store a passkey. Set up its screen lock or PIN, or use another one.'
const wrongAddress = 'Passkeys do not work at this address.'

const messages: Partial<Record<WebAuthnErrorCode, string>> = {
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device already has a passkey for your account.',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: cannotKeep,
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT: cannotKeep,
  ERROR_INVALID_DOMAIN: wrongAddress,
  ERROR_INVALID_RP_ID: wrongAddress,
}

/** The user cancelled or did not answer in time, or another ceremony began. */
const cancellations = new Set<WebAuthnErrorCode>(['ERROR_CEREMONY_ABORTED', 'ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY'])

/** @throws Cancelled; UserError */
function explain(error: unknown): never {
  const code = error instanceof WebAuthnError ? error.code : undefined
  if (code && cancellations.has(code)) throw new Cancelled()
  throw new UserError((code && messages[code]) ?? 'The passkey could not be used.', { cause: error })
}

const ignore = () => undefined

/** Tells the browser which passkeys remain. Needs a recently confirmed session, as does the deletion before it. */
export async function signalPasskeys(): Promise<void> {
  if (!('signalAllAcceptedCredentials' in PublicKeyCredential)) return
  const { rp, user, excludeCredentials } = (await usersPasskeyOptions()).data.options
  const account = { rpID: rp.id, userID: user.id }
  const allAcceptedCredentialIDs = excludeCredentials.map(({ id }) => id)
  await sendSignal({ signalName: 'allAcceptedCredentials', ...account, allAcceptedCredentialIDs }).catch(ignore)
  const names = { userName: user.name, userDisplayName: user.displayName }
  await sendSignal({ signalName: 'currentUserDetails', ...account, ...names }).catch(ignore)
}
