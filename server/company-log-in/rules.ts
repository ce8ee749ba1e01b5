import { type Act, change } from '../sessions/change.ts'
import { consume } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import { isUniqueViolation } from '../platform/database/errors.ts'
import { isUnavailable } from '../platform/database/unavailable.ts'
import { DomainError } from '../platform/errors.ts'
import {
  type IdentityProvider,
  ProviderUnavailable,
  ProviderDenied,
  ProviderFailed,
} from '../platform/identity-provider.ts'
import { hashGroup } from '../platform/lib/network-address.ts'
import { newToken } from '../platform/lib/secret-token.ts'
import { renewSession } from '../sessions/rules.ts'
import { type Challenge, readChallenge, issueChallenge, redeemChallenge } from '../sign-in/challenges.ts'
import { completeLogIn } from '../sign-in/complete-log-in.ts'
import { addIdentity, MAX_IDENTITIES } from '../sign-in/identities.ts'
import { findOwnerOfIdentity, hasIdentity, listIdentities, recordIdentityUse } from '../sign-in/identity-queries.ts'
import type { Device, Origin, SessionActor } from '../users/access.ts'
import { findUser, lockUser } from '../users/queries.ts'
import { type Person, personOf } from './claims.ts'
import { matchAccount } from './matching.ts'

// OpenID Connect: docs/decisions/0037-company-accounts.md

/** A flow lasts from the redirect to the provider until the provider's answer. A cookie ties it to the browser. */
type Flow = Challenge<'oidc'>['payload']

const expired = () => new DomainError('invalid', 'This log-in has expired, please start again')

/** @throws DomainError `not-found` where no provider is configured */
export function requireProvider({ provider }: Context): IdentityProvider {
  if (!provider) throw new DomainError('not-found', 'There is no log-in with a company account')
  return provider
}

const MAX_PATH = 2_000

/** Accepts only a path of the application, and returns `/` for anything else, such as another site. */
export function pathOfApplication(text: string): string {
  const isPath = /^\/(?![/\\])[^\\\p{Cc}\p{Cs}]*$/u.test(text.slice(0, MAX_PATH + 1))
  if (!isPath || text.length > MAX_PATH) return '/'
  // `URL` resolves `..` as a browser does, so the result may begin with `//`, which leads to another site.
  const { origin, pathname, search } = new URL(text, 'http://localhost')
  return origin === 'http://localhost' && !pathname.startsWith('//') ? `${pathname}${search}` : '/'
}

/** After an error, the URL is that of the log-in page, and there is no cookie. */
export async function beginLogIn(context: Context, origin: Origin, returnTo: string) {
  requireProvider(context)
  try {
    await consume(context, 'companyLogIn', { ip: origin.ip })
    const { url, cookie, save } = await prepare(context, { use: 'log-in', returnTo }, false)
    await change(context, origin, {}, (act) => save(act, null))
    return { url, cookie }
  } catch (error) {
    if (isTooMany(error)) return { url: errorAt('/login', 'too-many') }
    if (isUnreachable(error)) return { url: errorAt('/login', 'unavailable') }
    throw error
  }
}

/** @throws DomainError `conflict`, `too-many`, `busy` */
export async function beginConnection(context: Context, actor: SessionActor) {
  requireProvider(context)
  await consumeBegin(context, actor)
  const flow = { use: 'connection', sessionId: actor.sessionId, returnTo: '/security' } as const
  const { url, cookie, save } = await prepareOrRefuse(context, flow, false)
  await change(context, actor, { lock: 'own-account' }, async (act) => {
    const { id } = act.actor.user
    if ((await listIdentities(act.tx, id)).length >= MAX_IDENTITIES)
      throw new DomainError('conflict', `At most ${MAX_IDENTITIES} connected accounts`)
    await save(act, id)
  })
  return { url, cookie }
}

/** @throws DomainError `conflict`, `too-many`, `busy` */
export async function beginConfirmation(context: Context, actor: SessionActor, returnTo: string) {
  const { issuer } = requireProvider(context)
  if (!(await hasIdentity(context.store.db, actor.user.id, issuer)))
    throw new DomainError('conflict', 'No account is connected')
  await consumeBegin(context, actor)
  const flow = { use: 'confirmation', sessionId: actor.sessionId, returnTo: pathOfApplication(returnTo) } as const
  const { url, cookie, save } = await prepareOrRefuse(context, flow, true)
  await change(context, actor, { lock: 'own-account' }, (act) => save(act, act.actor.user.id))
  return { url, cookie }
}

async function consumeBegin(context: Context, { user, ip }: SessionActor): Promise<void> {
  await consume(context, ['companyFlowOfAccount', 'companyLogIn'], { user: user.id, ip })
}

type NewFlow = Pick<Flow, 'use' | 'returnTo'> & { sessionId?: string }

/** Runs outside of a transaction, because the provider may be slow. */
async function prepare(context: Context, flow: NewFlow, mustAuthenticate: boolean) {
  const [state, cookie, nonce, codeVerifier] = [newToken(), newToken(), newToken(), newToken()]
  const exchange = { redirectUri: redirectUri(context), state, nonce, codeVerifier }
  const url = await requireProvider(context).authorizationUrl(exchange, mustAuthenticate)
  const payload = { sessionId: null, ...flow, nonce, codeVerifier }
  const save = (act: Act, userId: string | null) =>
    issueChallenge(act, 'oidc', userId, payload, { token: boundTo(cookie, state) })
  return { url, cookie, save }
}

async function prepareOrRefuse(context: Context, flow: NewFlow, mustAuthenticate: boolean) {
  return prepare(context, flow, mustAuthenticate).catch((error: unknown) => {
    if (!(error instanceof ProviderUnavailable)) throw error
    const { name } = requireProvider(context)
    throw new DomainError('busy', `${name} does not answer, please try again later`, { retryAfter: 5 })
  })
}

function redirectUri({ publicUrl }: Context): string {
  return `${publicUrl()}/api/v1/login/oidc/callback`
}

/** @returns the token of a challenge that only the browser with this cookie can redeem */
function boundTo(cookie: string, token: string): string {
  return `${cookie}.${token}`
}

function isUnreachable(error: unknown): boolean {
  return error instanceof ProviderUnavailable || isUnavailable(error)
}

function isTooMany(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'too-many'
}

function errorAt(path: string, error: string): string {
  return `${path}#oidc_error=${error}`
}

interface Answer {
  state: string | undefined
  cookie: string | undefined
  /** The query, with its question mark. */
  search: string
}

/** Handles the answer of the provider, also an error. @returns the URL to which the browser is redirected */
export async function endFlow(context: Context, device: Device, answer: Answer): Promise<string> {
  const provider = requireProvider(context)
  const { ip } = device
  let place = '/login'
  try {
    const { state, cookie } = answer
    if (state === undefined || cookie === undefined) return errorAt(place, 'expired')
    const begun = await readChallenge(context, ['oidc'], boundTo(cookie, state))
    if (!begun) return errorAt(place, 'expired')
    if (begun.payload.use !== 'log-in') place = begun.payload.returnTo
    // Only answers to a begun flow count. Otherwise other sites could use up the limit of a visitor's network.
    await consume(context, 'companyAnswer', { ip })
    if (begun.userId !== null) await consume(context, 'companyFlowOfAccount', { user: begun.userId })
    const flow = await redeemChallenge(context, ['oidc'], boundTo(cookie, state))
    if (!flow) return errorAt(place, 'expired')
    const { nonce, codeVerifier, use } = flow.payload
    const exchange = { redirectUri: redirectUri(context), state, nonce, codeVerifier }
    const person = personOf(context, await provider.answersOf(answer.search, exchange, hashGroup(ip)))
    if (!person) throw new ProviderFailed('The provider names nobody')
    const ended =
      use === 'log-in'
        ? await endLogIn(context, flow.payload, person, device, cookie)
        : await endForSession(context, flow, person, device)
    return 'error' in ended ? errorAt(place, ended.error) : ended.place
  } catch (error) {
    if (error instanceof ProviderDenied) return errorAt(place, 'denied')
    if (error instanceof ProviderFailed) return errorAt(place, 'failed')
    if (isTooMany(error)) return errorAt(place, 'too-many')
    if (isUnreachable(error)) return errorAt(place, 'unavailable')
    throw error
  }
}

type Ended = { place: string } | { error: string }

async function endLogIn(context: Context, { returnTo }: Flow, person: Person, device: Device, cookie: string) {
  const attempt = () =>
    change(context, device, {}, async (act): Promise<Ended> => {
      const matched = await matchAccount(act, person)
      if ('refusal' in matched) return { error: matched.refusal }
      const code = newToken()
      const payload = { returnTo, isFresh: person.isRecent }
      await issueChallenge(act, 'oidc-log-in', matched.user.id, payload, { token: boundTo(cookie, code) })
      return { place: `/login#oidc=${code}` }
    })
  return attempt().catch((error: unknown) => {
    // Another log-in made the account or the identity meanwhile.
    if (!isUniqueViolation(error) && !(error instanceof DomainError && error.kind === 'conflict')) throw error
    return attempt()
  })
}

async function endForSession(
  context: Context,
  { userId, payload: { use, sessionId, returnTo } }: Challenge<'oidc'>,
  person: Person,
  { ip }: Device,
): Promise<Ended> {
  if (userId === null || sessionId === null) return { error: 'failed' }
  const owner = await findUser(context.store.db, userId)
  if (!owner) return { error: 'expired' }
  const actor = { sessionId, user: owner, ip, authenticatedAt: 0 }
  return change(context, actor, { lock: 'own-account' }, async (act): Promise<Ended> => {
    const { user } = act.actor
    const ownerId = await findOwnerOfIdentity(act.tx, person.issuer, person.subject)
    if (use === 'confirmation') {
      const isOwn = ownerId === user.id
      const result = isOwn && person.isRecent ? 'done' : isOwn ? 'not-recent' : 'wrong-identity'
      act.audit('confirm', { result, details: { method: 'oidc' } })
      if (result !== 'done') return { error: 'not-recent' }
      await recordIdentityUse(act.tx, { ...person, user_id: user.id }, act.now())
      await renewSession(act, 'oidc')
    } else if (ownerId === undefined) {
      if ((await listIdentities(act.tx, user.id)).length >= MAX_IDENTITIES) return { error: 'failed' }
      await addIdentity(act, user, person, { isUsed: false, notice: 'identity-added' })
    } else if (ownerId !== user.id) return { error: 'taken' }
    return { place: returnTo }
  }).catch((error: unknown): Ended => {
    if (isUniqueViolation(error)) return { error: 'taken' }
    if (error instanceof DomainError && error.kind === 'unauthenticated') return { error: 'expired' }
    throw error
  })
}

/** Only the browser that began the log-in completes it. @returns an access token @throws DomainError `invalid` */
export async function finishCompanyLogIn(context: Context, device: Device, cookie: string | undefined, code: string) {
  requireProvider(context)
  if (cookie === undefined) throw expired()
  const bound = boundTo(cookie, code)
  const { userId } = (await readChallenge(context, ['oidc-log-in'], bound)) ?? {}
  const done =
    userId &&
    (await change(context, device, {}, async (act) => {
      const user = await lockUser(act.tx, userId)
      const used = user?.is_active && (await redeemChallenge(act, ['oidc-log-in'], bound))
      if (!used) return undefined
      const { returnTo, isFresh } = used.payload
      return { token: await completeLogIn(act, user, 'oidc', device, isFresh), returnTo }
    }))
  if (!done) throw expired()
  return done
}
