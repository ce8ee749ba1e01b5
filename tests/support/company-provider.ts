import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider, type ClientMetadata, type Configuration, type JWK, type KoaContextWithOIDC } from 'oidc-provider'

/** Claims of a person besides `sub`. */
export interface CompanyPerson {
  email?: string
  email_verified?: unknown
  xms_edov?: unknown
  name?: string
}

const clientId = 'steward'
const clientSecret = 'a secret of the provider and Steward'

interface Options {
  port?: number
  publicUrl: string
  people: Record<string, CompanyPerson>
  /** Whether the ID token contains the email address. Otherwise only userinfo does. */
  emailInIdToken?: boolean
  client?: Partial<ClientMetadata>
}

export type CompanyProvider = Awaited<ReturnType<typeof startCompanyProvider>>

export async function startCompanyProvider(options: Options) {
  const { port = 0, publicUrl, emailInIdToken = true } = options
  const people = new Map(Object.entries(options.people))
  const server = createServer((request, response) => void handle(request, response))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  let changeIdToken: ((token: IdToken) => void) | undefined
  let key = newKey()
  let provider = create()
  /** The person whom the provider logs in without asking, and the time of that log-in in seconds since 1970. */
  let visitor: { sub: string; at?: number } | undefined
  let answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined

  function create(): Provider {
    const made = new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [`${publicUrl}/api/v1/login/oidc/callback`],
          post_logout_redirect_uris: [`${publicUrl}/login`],
          ...options.client,
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified', 'xms_edov'], profile: ['name'] },
      conformIdTokenClaims: !emailInIdToken,
      cookies: { keys: [randomUUID()] },
      features: { devInteractions: { enabled: false }, claimsParameter: { enabled: true } },
      findAccount: (_context, sub) => {
        const person = people.get(sub)
        return person && { accountId: sub, claims: () => ({ sub, ...person }) }
      },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      jwks: { keys: [key.jwk] },
      loadExistingGrant: grantAll,
      renderError: (context, { error }) => void (context.body = error),
      ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 3600, IdToken: 600, Interaction: 600, Session: 3600 },
    } satisfies Configuration)
    made.use(async (context, next) => {
      await next()
      if (context.path === '/token' && changeIdToken) {
        const body = context.body as { id_token: string }
        body.id_token = changeWith(body.id_token, changeIdToken, key.privateKey)
      }
    })
    return made
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (answer?.(request, response)) return
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    if (!pathname.startsWith('/interaction/')) return void provider.callback()(request, response)
    const sub = searchParams.get('sub')
    const chosen = visitor ?? (sub === null ? undefined : { sub })
    if (chosen) {
      const { sub: accountId, at: ts }: NonNullable<typeof visitor> = chosen
      await provider.interactionFinished(request, response, { login: { accountId, ...(ts !== undefined && { ts }) } })
    } else if (searchParams.has('cancel')) {
      await provider.interactionFinished(request, response, { error: 'access_denied' })
    } else response.setHeader('content-type', 'text/html; charset=utf-8').end(logInPage())
  }

  function logInPage(): string {
    const links = Array.from(
      people,
      ([sub, { email }]) => `<p><a href="?sub=${encodeURIComponent(sub)}">${email}</a></p>`,
    )
    return `<!doctype html><html lang="en"><title>Company</title><h1>Who are you?</h1>${links.join('')}<p><a href="?cancel">Cancel</a></p></html>`
  }

  return {
    issuer,
    people,
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: 'Company' },

    /** Makes the provider log this person in without asking. @param at seconds since 1970, now by default */
    visitAs(sub: string | undefined, at?: number): void {
      visitor = sub === undefined ? undefined : { sub, ...(at !== undefined && { at }) }
    },

    restart(): void {
      key = newKey()
      provider = create()
    },

    /** Answers requests instead of the provider. The function returns false for those that it leaves to the provider. */
    answerWith(instead: typeof answer): void {
      answer = instead
    },

    changeIdTokens(change: typeof changeIdToken): void {
      changeIdToken = change
    },

    async close(): Promise<void> {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' } as JWK
  return { privateKey, jwk }
}

export interface IdToken {
  header: Record<string, unknown>
  claims: Record<string, unknown>
  signature?: string
}

function changeWith(idToken: string, change: (token: IdToken) => void, privateKey: KeyObject): string {
  const [header, claims] = idToken.split('.', 2).map(parse)
  const token: IdToken = { header: header ?? {}, claims: claims ?? {} }
  change(token)
  const signed = [token.header, token.claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${signed}.${token.signature ?? sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
}

const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>

/** Grants all scopes, so that nobody has to consent. */
async function grantAll(context: KoaContextWithOIDC) {
  const { client, session, provider } = context.oidc
  const { Grant } = provider
  const grant = new Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' })
  grant.addOIDCScope('openid email profile')
  grant.addOIDCClaims(['auth_time'])
  await grant.save()
  return grant
}
