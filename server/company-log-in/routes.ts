import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Context } from '../platform/context.ts'
import { refuseOtherSites } from '../platform/http/same-site.ts'
import { actorOf, deviceOf } from '../sessions/request.ts'
import {
  beginConfirmation,
  beginConnection,
  beginLogIn,
  endFlow,
  finishCompanyLogIn,
  pathOfApplication,
  requireProvider,
} from './rules.ts'

const COOKIE = 'steward_oidc'
const COOKIE_PATH = '/api/v1/login/oidc'
const COOKIE_SECONDS = 600

export function companyLogInRoutes(context: Context) {
  function setCookie(reply: FastifyReply, value: string, seconds = COOKIE_SECONDS): void {
    const secure = context.publicUrl().startsWith('https:') ? '; Secure' : ''
    const attributes = `Path=${COOKIE_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
    reply.header('set-cookie', `${COOKIE}=${value}; ${attributes}`)
  }

  return {
    async loginOidc(request, reply) {
      requireProvider(context)
      // Otherwise another site could log a visitor in as another person, or use up the limit of the visitor's network.
      if (request.validationError || request.headers['sec-fetch-site'] === 'cross-site')
        return reply.redirect('/login', 303)
      const { return_to = '', moved } = request.query ?? {}
      const returnTo = pathOfApplication(return_to)
      // The provider sends the browser back to PUBLIC_URL, so that host must set the cookie. `moved` prevents a loop of
      // redirects behind a proxy that always sends another host.
      if (moved === undefined && isAtOtherHost(context, request)) {
        const query = new URLSearchParams({ return_to: returnTo, moved: 'yes' })
        return reply.redirect(`${context.publicUrl()}${COOKIE_PATH}?${query.toString()}`, 303)
      }
      const { url, cookie } = await beginLogIn(context, request, returnTo)
      if (cookie !== undefined) setCookie(reply, cookie)
      return reply.redirect(url, 303)
    },

    async loginOidcCallback(request, reply) {
      requireProvider(context)
      if (request.validationError) return reply.redirect('/login', 303)
      const { state } = request.query ?? {}
      const search = request.url.replace(/^[^?]*/, '')
      const answer = { state, search, cookie: cookieOf(request) }
      return reply.redirect(await endFlow(context, deviceOf(request), answer), 303)
    },

    async loginOidcComplete(request, reply) {
      requireProvider(context)
      refuseOtherSites(context, request, 'Log-in')
      const cookie = cookieOf(request)
      const { token, returnTo } = await finishCompanyLogIn(context, deviceOf(request), cookie, request.body.code)
      setCookie(reply, '', 0)
      return reply.code(200).send({ access_token: token, token_type: 'bearer', return_to: returnTo })
    },

    async usersIdentityOptions(request, reply) {
      const { url, cookie } = await beginConnection(context, actorOf(request))
      setCookie(reply, cookie)
      return reply.code(200).send({ url })
    },

    async usersConfirmOidc(request, reply) {
      const { url, cookie } = await beginConfirmation(context, actorOf(request), request.body.return_to)
      setCookie(reply, cookie)
      return reply.code(200).send({ url })
    },
  } satisfies Partial<RouteHandlers>
}

function isAtOtherHost(context: Context, request: FastifyRequest): boolean {
  const { host, protocol } = new URL(context.publicUrl())
  const given = URL.parse(`${protocol}//${request.host}`)
  return given !== null && given.host !== host
}

function cookieOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return /(?:^|;) *steward_oidc=([\w-]{43})(?:;|$)/.exec(headers.cookie ?? '')?.[1]
}
