import type { FastifyReply, FastifyRequest } from 'fastify'

/** Operations that the contract promises and the server does not do yet. */
const answer = async (_request: FastifyRequest, reply: FastifyReply) =>
  reply.code(501).send({ detail: 'Not Implemented' })

export const notImplemented = {
  loginRecoverPassword: answer,
  loginRecoverPasswordHtmlContent: answer,
  loginResetPassword: answer,
  usersReadUsers: answer,
  usersCreateUser: answer,
  usersUpdateUserMe: answer,
  usersDeleteUserMe: answer,
  usersUpdatePasswordMe: answer,
  usersRegisterUser: answer,
  usersReadUserById: answer,
  usersUpdateUser: answer,
  usersDeleteUser: answer,
  itemsReadItem: answer,
  itemsUpdateItem: answer,
  itemsDeleteItem: answer,
}
