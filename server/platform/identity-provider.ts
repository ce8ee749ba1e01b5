import * as client from 'openid-client'
import type { Config } from './config.ts'
import { DomainError } from './errors.ts'
import { createFairQueue } from './lib/fair-queue.ts'
import { isLoopback } from './lib/network-address.ts'

// The provider of company accounts (OpenID Connect): docs/decisions/0037-company-accounts.md.

type ProviderConfig = NonNullable<Config['oidc']>

/** How long the settings of the provider are used, and after a failure, how long they are not read again. */
const SETTINGS_MS = 5_000
/** The limit for one request to the provider, and for all requests that follow its redirect. */
const TIMEOUT_SECONDS = 10
const CLOCK_TOLERANCE_SECONDS = 300
const MAX_ANSWER_BYTES = 1024 * 1024
const QUEUE = { parallel: 8, perGroup: 4, maxWaiting: 100 }

/** The provider does not answer in time, or has unusable settings. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable'
}

/** The provider, or the person at the provider, refused the log-in. */
export class ProviderDenied extends Error {
  override name = 'ProviderDenied'
}

/** The answer of the provider is not valid. */
export class ProviderFailed extends Error {
  override name = 'ProviderFailed'
}

/** What is kept between the request to the provider and its answer. */
interface Exchange {
  redirectUri: string
  state: string
  nonce: string
  codeVerifier: string
}

export type Claims = Readonly<Record<string, unknown>>

/** What the provider says of a person: a valid id token, and userinfo where the id token does not say all. */
export interface Answers {
  subject: string
  idToken: Claims
  userinfo?: Claims
}

export function isGiven(claim: unknown): boolean {
  return claim !== undefined && claim !== null && (typeof claim !== 'string' || claim.trim() !== '')
}

export type IdentityProvider = ReturnType<typeof createIdentityProvider>

/** @param warn receives what an operator should know; never a token */
export function createIdentityProvider(
  config: ProviderConfig,
  { now, warn }: { now: () => number; warn: (message: string) => void },
) {
  const { issuer, clientId, clientSecret, name } = config
  const isInsecure = issuer.startsWith('http:')
  let known: client.ServerMetadata | undefined
  let last: { at: number; settings: Promise<client.ServerMetadata> } | undefined
  const queue = createFairQueue(QUEUE)

  async function ask(): Promise<client.ServerMetadata> {
    try {
      const execute = isInsecure ? [client.allowInsecureRequests] : []
      const found = await client.discovery(new URL(issuer), clientId, undefined, undefined, {
        execute,
        timeout: TIMEOUT_SECONDS,
        [client.customFetch]: fetchShort,
      })
      const metadata = found.serverMetadata()
      if (metadata.issuer !== issuer) throw new Error(`it calls itself ${metadata.issuer}`)
      for (const page of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
        if (!isUsable(metadata[page])) throw new Error(`its ${page} cannot be used`)
      known = metadata
      return metadata
    } catch (error) {
      warn(`OIDC_ISSUER cannot be used: ${explain(error)}`)
      throw new ProviderUnavailable('The provider does not answer', { cause: error })
    }
  }

  function settings(): Promise<client.ServerMetadata> {
    const age = last ? now() - last.at : Infinity
    if (!last || age < 0 || age >= SETTINGS_MS) last = { at: now(), settings: ask() }
    return last.settings
  }

  function isUsable(endpoint: unknown): boolean {
    const { protocol, hostname } = (typeof endpoint === 'string' && URL.parse(endpoint)) || {}
    return protocol === 'https:' || (isInsecure && protocol === 'http:' && isLoopback(hostname))
  }

  /** Each log-in gets a new configuration, which has no keys of the provider, so that replaced keys are never used. */
  function configure(metadata: client.ServerMetadata, signal?: AbortSignal): client.Configuration {
    const clock = {
      [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
      [client.clockSkew]: Math.round((now() - Date.now()) / 1000),
    }
    const configured = new client.Configuration(metadata, clientId, clock, authenticationFor(metadata, clientSecret))
    configured.timeout = TIMEOUT_SECONDS
    configured[client.customFetch] = (url, options) => fetchShort(url, options, signal)
    if (isInsecure) client.allowInsecureRequests(configured)
    // Without it, the library does not verify the signature of the id token.
    client.enableNonRepudiationChecks(configured)
    return configured
  }

  async function readAnswers(search: string, exchange: Exchange, signal: AbortSignal): Promise<Answers> {
    const { redirectUri, state: expectedState, nonce: expectedNonce, codeVerifier: pkceCodeVerifier } = exchange
    const metadata = known ?? (await settings())
    const configured = configure(metadata, signal)
    const url = new URL(redirectUri)
    url.search = search
    const tokens = await client.authorizationCodeGrant(configured, url, {
      expectedState,
      expectedNonce,
      pkceCodeVerifier,
      idTokenExpected: true,
    })
    const idToken = tokens.claims()
    if (!idToken) throw new Error('no id token')
    const { sub: subject, azp, email, email_verified: verified, xms_edov: edov } = idToken
    // The library checks `azp` only if the token is for several clients.
    if (azp !== undefined && azp !== clientId) throw new Error('the id token is for another client')
    const isEnough = isGiven(email) && (isGiven(verified) || isGiven(edov))
    if (metadata.userinfo_endpoint === undefined || (isEnough && isGiven(idToken['name']))) return { subject, idToken }
    try {
      return { subject, idToken, userinfo: await client.fetchUserInfo(configured, tokens.access_token, subject) }
    } catch (error) {
      // Only the name is missing, which is no reason to refuse the log-in.
      if (isEnough) return { subject, idToken }
      throw error
    }
  }

  return {
    issuer,
    name,

    /** Known once the provider has answered. */
    logOutUrl(): string | undefined {
      const { protocol, href } = URL.parse(known?.end_session_endpoint ?? '') ?? {}
      return protocol === 'https:' || (isInsecure && protocol === 'http:') ? href : undefined
    },

    prepare(): void {
      settings().catch(() => {})
    },

    /** @param mustAuthenticate whether the person has to log in at the provider again @throws ProviderUnavailable */
    async authorizationUrl(
      { redirectUri, state, nonce, codeVerifier }: Exchange,
      mustAuthenticate: boolean,
    ): Promise<string> {
      const url = client.buildAuthorizationUrl(configure(await settings()), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        claims: JSON.stringify({ id_token: { auth_time: { essential: mustAuthenticate } } }),
        ...(mustAuthenticate && { prompt: 'login', max_age: '0' }),
      })
      return url.href
    },

    /**
     * @param search the query of the redirect from the provider
     * @param group log-ins of a group wait for each other
     * @throws ProviderUnavailable, ProviderDenied, ProviderFailed
     */
    async answersOf(search: string, exchange: Exchange, group: string): Promise<Answers> {
      const signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1000)
      try {
        return await queue.run(group, () => readAnswers(search, exchange, signal), signal)
      } catch (error) {
        if (error instanceof ProviderUnavailable) throw error
        if (signal.aborted || error instanceof DomainError) {
          warn('Log-ins with a company account take too long')
          throw new ProviderUnavailable('The provider does not answer in time', { cause: error })
        }
        if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied')
          throw new ProviderDenied('The provider or the person refused', { cause: error })
        warn(`A log-in with a company account failed: ${explain(error)}`)
        throw new ProviderFailed('The answer of the provider does not hold', { cause: error })
      }
    },
  }
}

/** Refuses an answer of more than `MAX_ANSWER_BYTES`. @param signal ends the request, as its own signal does */
async function fetchShort(
  url: string,
  { signal: own, ...options }: client.CustomFetchOptions,
  signal?: AbortSignal,
): Promise<Response> {
  const signals = [own, signal].filter((one) => one !== undefined)
  const request = { ...options, signal: AbortSignal.any(signals) } as RequestInit
  const { body, status, statusText, headers } = await fetch(url, request)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > MAX_ANSWER_BYTES) throw new Error('its answer is too long')
    chunks.push(chunk)
  }
  return new Response(body && Buffer.concat(chunks), { status, statusText, headers })
}

/** Uses the method that the provider asks for. A client without a secret sends only its id. */
function authenticationFor(
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: client.ServerMetadata,
  secret: string | undefined,
): client.ClientAuth {
  if (secret === undefined) return client.None()
  if (methods.includes('client_secret_basic')) return client.ClientSecretBasic(secret)
  if (methods.includes('client_secret_post')) return client.ClientSecretPost(secret)
  return methods.includes('client_secret_jwt') ? client.ClientSecretJwt(secret) : client.ClientSecretBasic(secret)
}

/** The messages of an error and its cause, which name places and rules, and the provider's error code. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  const code = error instanceof client.ResponseBodyError && /^[a-z_]{1,40}$/.test(error.error) ? error.error : undefined
  return [error.message, cause instanceof Error ? cause.message : undefined, code]
    .filter((text) => text !== undefined)
    .join(': ')
}
