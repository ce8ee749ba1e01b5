import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Context } from '../platform/context.ts'
import { HttpError } from '../platform/http/http-error.ts'
import { refuseOtherSites } from '../platform/http/same-site.ts'
import { toPublic } from '../platform/to-public.ts'
import { actorOf, deviceOf } from '../sessions/request.ts'
import { endSession } from '../sessions/rules.ts'
import { visibleTo } from '../users/access.ts'
import { describeIdentities, removeOwnIdentity } from './identities.ts'
import { logIn } from './log-in.ts'
import { logInByLink, readLogInLink } from './log-in-link.ts'
import {
  listOwn,
  logInByPasskey,
  logInOptions,
  reauthenticationOptions,
  registerPasskey,
  registrationOptions,
  remove,
  rename,
} from './passkeys.ts'
import { reauthenticateByCode, reauthenticateByPasskey, reauthenticateByPassword } from './reauthentication.ts'
import { beginApp, confirmApp, describeFactors, removeApp, renewRecoveryCodes } from './second-factor.ts'
import { beginEnrolment, confirmEnrolment, finishLogIn } from './second-step.ts'

export function signInRoutes(context: Context) {
  return {
    async loginLoginAccessToken(request, reply) {
      refuseOtherSites(context, request, 'Log-in')
      const { username, password } = request.body
      const entered = await logIn(context, deviceOf(request), username, password)
      if ('secondStep' in entered) {
        const { detail, ...second_factor } = entered.secondStep
        throw new HttpError(400, detail, {}, { second_factor })
      }
      return reply.code(200).send({ access_token: entered.token, token_type: 'bearer' })
    },

    async loginSecondFactor(request, reply) {
      refuseOtherSites(context, request, 'Log-in')
      const { login, code } = request.body
      const token = await finishLogIn(context, deviceOf(request), login, code)
      return reply.code(200).send({ access_token: token, token_type: 'bearer' })
    },

    async loginEnrolment(request, reply) {
      refuseOtherSites(context, request, 'Log-in')
      return reply.code(200).send(await beginEnrolment(context, deviceOf(request), request.body.login))
    },

    async loginEnrolmentConfirm(request, reply) {
      refuseOtherSites(context, request, 'Log-in')
      const { login, code } = request.body
      const { token, recoveryCodes } = await confirmEnrolment(context, deviceOf(request), login, code)
      return reply.code(200).send({ access_token: token, token_type: 'bearer', recovery_codes: recoveryCodes })
    },

    async loginPasskeyOptions(request, reply) {
      refuseOtherSites(context, request, 'Log-in')
      return reply.code(200).send(await logInOptions(context, request.ip))
    },

    async loginPasskey(request, reply) {
      refuseOtherSites(context, request, 'Log-in')
      const { ceremony, credential } = request.body
      const token = await logInByPasskey(context, deviceOf(request), ceremony, credential)
      return reply.code(200).send({ access_token: token, token_type: 'bearer' })
    },

    async loginLinkAccount(request, reply) {
      refuseOtherSites(context, request, 'Log-in')
      return reply.code(200).send({ email: await readLogInLink(context, request, request.body.token) })
    },

    async loginLink(request, reply) {
      refuseOtherSites(context, request, 'Log-in')
      const token = await logInByLink(context, deviceOf(request), request.body.token)
      return reply.code(200).send({ access_token: token, token_type: 'bearer' })
    },

    async loginTestToken(request, reply) {
      const { user } = actorOf(request)
      return reply.code(200).send(toPublic(visibleTo(user, user)))
    },

    async loginLogout(request, reply) {
      await endSession(context, actorOf(request))
      return reply.code(200).send({ message: 'Logged out' })
    },

    async usersConfirm(request, reply) {
      const { password, code, ceremony, credential } = request.body
      const actor = actorOf(request)
      const hasPasskey = ceremony !== undefined && credential !== undefined
      const given = [password !== undefined, code !== undefined, hasPasskey].filter(Boolean)
      if (given.length !== 1 || (ceremony === undefined) !== (credential === undefined)) {
        throw new HttpError(422, [{ loc: ['body'], msg: 'Give a password, a code or a passkey', type: 'one_of' }])
      }
      if (hasPasskey) await reauthenticateByPasskey(context, actor, ceremony, credential)
      else if (code !== undefined) await reauthenticateByCode(context, actor, code)
      else await reauthenticateByPassword(context, actor, password ?? '')
      return reply.code(200).send({ message: 'Confirmed' })
    },

    async usersConfirmOptions(request, reply) {
      return reply.code(200).send(await reauthenticationOptions(context, actorOf(request)))
    },

    async usersReadPasskeys(request, reply) {
      const data = (await listOwn(context, actorOf(request))).map(toPublic)
      return reply.code(200).send({ data, count: data.length })
    },

    async usersPasskeyOptions(request, reply) {
      return reply.code(200).send(await registrationOptions(context, actorOf(request)))
    },

    async usersCreatePasskey(request, reply) {
      const { ceremony, credential, name } = request.body
      const passkey = await registerPasskey(context, actorOf(request), ceremony, credential, name)
      return reply.code(200).send(toPublic(passkey))
    },

    async usersUpdatePasskey(request, reply) {
      const { passkey_id: id } = request.params
      return reply.code(200).send(toPublic(await rename(context, actorOf(request), id, request.body.name)))
    },

    async usersDeletePasskey(request, reply) {
      await remove(context, actorOf(request), request.params.passkey_id)
      return reply.code(200).send({ message: 'Passkey deleted' })
    },

    async usersReadOwnIdentities(request, reply) {
      return reply.code(200).send(toPublicIdentities(await describeIdentities(context, actorOf(request).user.id)))
    },

    async usersDeleteOwnIdentity(request, reply) {
      await removeOwnIdentity(context, actorOf(request), request.params.identity_id)
      return reply.code(200).send({ message: 'Account disconnected' })
    },

    async usersReadOwnSecondFactor(request, reply) {
      return reply.code(200).send(await describeFactors(context, actorOf(request).user))
    },

    async usersBeginTotp(request, reply) {
      return reply.code(200).send(await beginApp(context, actorOf(request)))
    },

    async usersConfirmTotp(request, reply) {
      const codes = await confirmApp(context, actorOf(request), request.body.code)
      return reply.code(200).send({ recovery_codes: codes })
    },

    async usersDeleteTotp(request, reply) {
      await removeApp(context, actorOf(request))
      return reply.code(200).send({ message: 'Authenticator app removed' })
    },

    async usersCreateRecoveryCodes(request, reply) {
      return reply.code(200).send({ recovery_codes: await renewRecoveryCodes(context, actorOf(request)) })
    },
  } satisfies Partial<RouteHandlers>
}

export function toPublicIdentities({ data, hasPassword }: Awaited<ReturnType<typeof describeIdentities>>) {
  return { data: data.map(toPublic), count: data.length, has_password: hasPassword }
}
