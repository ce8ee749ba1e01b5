import {
  loginPasskey,
  loginPasskeyOptions,
  usersConfirm,
  usersConfirmOptions,
  usersCreatePasskey,
  usersPasskeyOptions,
} from '@/client/sdk.gen'
import type { PasskeyAssertion, PasskeyPublic, PasskeyRegistration, PasskeyRequest } from '@/client/types.gen'
import { Cancelled, isGone, UserError } from './api/errors'
import { describeUserAgent } from './user-agent'

// Passkeys in the browser. Loaded when they are needed.

/** Shorter than the life of a ceremony, so that a suggestion of an open page works. */
const RENEW_MS = 4 * 60_000

/** Methods that TypeScript does not know yet and that some browsers lack. */
interface Signals {
  signalUnknownCredential?: (options: { rpId: string; credentialId: string }) => Promise<void>
  signalAllAcceptedCredentials?: (options: {
    rpId: string
    userId: string
    allAcceptedCredentialIds: string[]
  }) => Promise<void>
  signalCurrentUserDetails?: (options: {
    rpId: string
    userId: string
    name: string
    displayName: string
  }) => Promise<void>
}

const signals = () => PublicKeyCredential as unknown as Signals

let open: { controller: AbortController; done: Promise<unknown> } | undefined

/** Ends the open ceremony first, because browsers run one at a time. @param signal ends this one */
async function exclusively<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const previous = open
  const controller = new AbortController()
  const ending = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal
  const done = (async () => {
    previous?.controller.abort()
    await previous?.done.catch(() => undefined)
    return run(ending)
  })()
  open = { controller, done }
  return done
}

/** Logs in with a passkey that the person chooses. @returns the access token */
export function logInByPasskey(): Promise<string> {
  return exclusively((signal) => logIn({ signal }))
}

/**
 * Logs in with a passkey that the person chooses among the suggestions of the email field.
 * @returns the access token; `null` if the browser cannot suggest any, or the signal ended it
 */
export async function logInByAutofill(signal: AbortSignal): Promise<string | null> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return null
  while (!signal.aborted) {
    await visible(signal)
    const renewal = AbortSignal.timeout(RENEW_MS)
    try {
      return await exclusively(
        (ending) => logIn({ signal: AbortSignal.any([ending, renewal]), mediation: 'conditional' }),
        signal,
      )
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error
      if (!renewal.aborted) return null
    }
  }
  return null
}

/** Resolves when the page is visible. */
function visible(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

async function logIn(request: { signal: AbortSignal; mediation?: 'conditional' }): Promise<string> {
  const { data: begun } = await loginPasskeyOptions({ signal: request.signal }).catch(toCancelled(request.signal))
  const credential = await choose(begun, request)
  try {
    const { data } = await loginPasskey({ body: { ceremony: begun.ceremony, credential } })
    return data.access_token
  } catch (error) {
    // Somebody deleted it. The browser then stops to offer it.
    if (isGone(error))
      await signals().signalUnknownCredential?.({ rpId: begun.options.rpId, credentialId: credential.id })
    throw error
  }
}

/** Confirms who the person of this session is. */
export function confirmByPasskey(): Promise<void> {
  return exclusively(async (signal) => {
    const { data: begun } = await usersConfirmOptions()
    const credential = await choose(begun, { signal })
    await usersConfirm({ body: { ceremony: begun.ceremony, credential } })
  })
}

/** Adds a passkey with a name after this browser. */
export function createPasskey(): Promise<PasskeyPublic> {
  return exclusively(async (signal) => {
    const {
      data: { ceremony, options },
    } = await usersPasskeyOptions()
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const credential = await ask(navigator.credentials.create({ publicKey, signal }))
    const body = {
      ceremony,
      credential: credential.toJSON() as PasskeyRegistration,
      name: describeUserAgent(navigator.userAgent),
    }
    return (await usersCreatePasskey({ body })).data
  })
}

async function choose(
  { options }: PasskeyRequest,
  request: { signal: AbortSignal; mediation?: 'conditional' },
): Promise<PasskeyAssertion> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await ask(navigator.credentials.get({ publicKey, ...request }))
  return credential.toJSON() as PasskeyAssertion
}

/** @throws Cancelled; UserError */
async function ask(asked: Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await asked
    if (credential) return credential as PublicKeyCredential
  } catch (error) {
    const { name } = error as Error
    if (name === 'InvalidStateError') throw new UserError('This device already has a passkey for your account.')
    if (name === 'SecurityError') throw new UserError('Passkeys do not work at this address.')
    // Also a timeout, and a renewed suggestion.
    if (!['NotAllowedError', 'AbortError', 'TimeoutError'].includes(name))
      throw new UserError('The passkey could not be used.')
  }
  throw new Cancelled()
}

/** For a request that the signal ended. */
function toCancelled(signal: AbortSignal) {
  return (error: unknown): never => {
    throw signal.aborted ? new Cancelled() : error
  }
}

/** After a deletion, which needs a fresh session like these options: has the browser offer the remaining passkeys only. */
export async function signalPasskeys(): Promise<void> {
  const { signalAllAcceptedCredentials, signalCurrentUserDetails } = signals()
  if (!signalAllAcceptedCredentials) return
  const { options } = (await usersPasskeyOptions()).data
  const [rpId, userId] = [options.rp.id, options.user.id]
  const { name, displayName } = options.user
  const allAcceptedCredentialIds = options.excludeCredentials.map(({ id }) => id)
  await signalAllAcceptedCredentials.call(PublicKeyCredential, { rpId, userId, allAcceptedCredentialIds })
  await signalCurrentUserDetails?.call(PublicKeyCredential, { rpId, userId, name, displayName })
}
