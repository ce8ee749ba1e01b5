import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { UserInvite } from '../contract/types.gen.ts'
import { invitationUrl, resetUrl } from '../accounts/mails.ts'
import type { Invited } from '../accounts/invitations.ts'
import { fieldsOf, type SendCsv } from '../lists/csv.ts'
import type { Context } from '../platform/context.ts'
import { closedSignal } from '../platform/http/closed-signal.ts'
import { bodySchemaOf } from '../platform/http/contract.ts'
import { conditionOf, tagged } from '../platform/http/entity-tags.ts'
import { findErrors } from '../platform/http/validation.ts'
import { toPublic, toPublicList } from '../platform/to-public.ts'
import { actorOf, callerOf } from '../sessions/request.ts'
import { toPublicSessions } from '../sessions/routes.ts'
import { toPublicIdentities } from '../sign-in/routes.ts'
import { type AccountActor, visibleTo } from '../users/access.ts'
import { changeAccounts } from './bulk.ts'
import { importAccounts, type ImportError, type ImportRow } from './import.ts'
import {
  createAccount,
  deleteOtherAccount,
  endAccountSessions,
  endAccountToken,
  exportAccounts,
  inviteAccount,
  inviteAccountAgain,
  listAccounts,
  listAccountSessions,
  listAccountTokens,
  readAccount,
  readAccountFactors,
  readAccountIdentities,
  removeAccountIdentity,
  resetSecondFactor,
  sendPasswordReset,
  updateAccount,
} from './rules.ts'

const fields = fieldsOf('UserPublic')

const invitation = bodySchemaOf('users-invite_user')

function checkRows(given: readonly object[]): { rows: ImportRow[]; errors: ImportError[] } {
  const found = given.map((row) => findErrors(invitation, row))
  return {
    rows: given.flatMap((row, index) => (found[index]?.length ? [] : [{ ...(row as UserInvite), row: index + 1 }])),
    errors: found.flatMap((errors, index) => errors.map((error) => ({ row: index + 1, ...error }))),
  }
}

export function administrationRoutes(context: Context, sendCsv: SendCsv) {
  const hasMail = context.config.mail.smtpUrl !== undefined
  const toInvitation = (caller: AccountActor, { user, token }: Invited) => ({
    user: toPublic(visibleTo(caller.user, user)),
    link: token === undefined ? null : invitationUrl(context, token),
  })

  return {
    async usersReadUsers(request, reply) {
      const { skip = 0, limit = 100, ...given } = request.query ?? {}
      const caller = callerOf(request)
      const { data, count } = await listAccounts(context, caller, given, { skip, limit }, request.signal)
      return reply.code(200).send(toPublicList({ data: data.map((user) => visibleTo(caller.user, user)), count }))
    },

    async usersExportUsers(request, reply) {
      return sendCsv(request, reply, { name: 'users', fields, toRow: toPublic }, (target) =>
        exportAccounts(context, callerOf(request), request.query ?? {}, target),
      )
    },

    async usersCreateUser(request, reply) {
      const actor = actorOf(request)
      const user = await createAccount(context, actor, request.body)
      return reply.code(200).send(tagged(reply, visibleTo(actor.user, user)))
    },

    async usersInviteUser(request, reply) {
      const caller = callerOf(request)
      return reply.code(200).send(toInvitation(caller, await inviteAccount(context, caller, request.body)))
    },

    async usersResendInvitation(request, reply) {
      const caller = callerOf(request)
      const invited = await inviteAccountAgain(context, caller, request.params.user_id)
      return reply.code(200).send(toInvitation(caller, invited))
    },

    async usersSendPasswordReset(request, reply) {
      const token = await sendPasswordReset(context, actorOf(request), request.params.user_id)
      const answer =
        token === undefined
          ? { message: 'Password reset sent', link: null }
          : { message: 'There is no mail server', link: resetUrl(context, token) }
      return reply.code(200).send(answer)
    },

    async usersBulkUsers(request, reply) {
      const result = await changeAccounts(context, callerOf(request), request.body, closedSignal(reply))
      return reply.code(200).send(result)
    },

    async usersImportUsers(request, reply) {
      const { rows, dry_run: dryRun = false } = request.body
      const given = { ...checkRows(rows), dryRun }
      const { tokens, ...result } = await importAccounts(context, callerOf(request), given, closedSignal(reply))
      const links = Array.from(tokens, ([row, token]) => ({ row, link: invitationUrl(context, token) }))
      return reply.code(200).send({ ...result, links: hasMail ? null : links })
    },

    async usersReadSessions(request, reply) {
      const actor = actorOf(request)
      const list = await listAccountSessions(context, actor, request.params.user_id)
      return reply.code(200).send(toPublicSessions(list, actor))
    },

    async usersReadIdentities(request, reply) {
      const identities = await readAccountIdentities(context, actorOf(request), request.params.user_id)
      return reply.code(200).send(toPublicIdentities(identities))
    },

    async usersDeleteIdentity(request, reply) {
      const { user_id: userId, identity_id: id } = request.params
      await removeAccountIdentity(context, actorOf(request), userId, id)
      return reply.code(200).send({ message: 'Account disconnected' })
    },

    async usersReadTokens(request, reply) {
      const data = await listAccountTokens(context, actorOf(request), request.params.user_id)
      return reply.code(200).send(toPublicList({ data, count: data.length }))
    },

    async usersEndToken(request, reply) {
      const { user_id: userId, token_id: tokenId } = request.params
      await endAccountToken(context, actorOf(request), userId, tokenId)
      return reply.code(200).send({ message: 'Token ended' })
    },

    async usersReadSecondFactor(request, reply) {
      return reply.code(200).send(await readAccountFactors(context, actorOf(request), request.params.user_id))
    },

    async usersResetSecondFactor(request, reply) {
      await resetSecondFactor(context, actorOf(request), request.params.user_id)
      return reply.code(200).send({ message: 'Second factor reset' })
    },

    async usersEndSessions(request, reply) {
      const { params, body } = request
      await endAccountSessions(context, actorOf(request), params.user_id, body?.end_tokens)
      return reply.code(200).send({ message: 'Sessions ended' })
    },

    async usersReadUserById(request, reply) {
      const actor = callerOf(request)
      const user = await readAccount(context, actor, request.params.user_id)
      return reply.code(200).send(tagged(reply, visibleTo(actor.user, user)))
    },

    async usersUpdateUser(request, reply) {
      const { params, body } = request
      const caller = callerOf(request)
      const user = await updateAccount(context, caller, params.user_id, body, conditionOf(request))
      return reply.code(200).send(tagged(reply, visibleTo(caller.user, user)))
    },

    async usersDeleteUser(request, reply) {
      await deleteOtherAccount(context, callerOf(request), request.params.user_id, conditionOf(request))
      return reply.code(200).send({ message: 'User deleted successfully' })
    },
  } satisfies Partial<RouteHandlers>
}
