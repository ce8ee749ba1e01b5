import { client } from '@/client/client.gen'
import { endSession, getToken } from '../session'
import { confirmIdentity } from '../identity'
import { ApiError, Cancelled, endsSession, isAccountInDoubt, NOT_FRESH, StaleResponse } from './errors'

const LOGIN_PATH = '/api/v1/login/access-token'
const OWN_ACCOUNT_PATH = '/api/v1/users/me'

/** Adds the token to requests, converts errors to `ApiError`, and ends an invalid session. */
export function setUpClient(fetch?: typeof globalThis.fetch): void {
  if (fetch) client.setConfig({ fetch })
  client.interceptors.request.use((request) => {
    const token = getToken()
    if (token !== null) request.headers.set('Authorization', `Bearer ${token}`)
    return request
  })

  client.interceptors.response.use(async (first, request, { fetch: send = globalThis.fetch, serializedBody: body }) => {
    let response = first
    if (response.status === NOT_FRESH) {
      if (!(await confirmIdentity())) throw new Cancelled()
      response = await send(new Request(request, body === undefined ? {} : { body }))
    }
    const sent = request.headers.get('Authorization')
    // A late response must not end a newer session or show another user's data.
    if (sent !== null && sent !== `Bearer ${getToken()}`) throw new StaleResponse('This session is over')
    return response
  })

  client.interceptors.error.use((error, response, request) => {
    // There was no response (offline, aborted), or the body of a successful one could not be read.
    if (error instanceof StaleResponse || error instanceof Cancelled || !request || !response || response.ok)
      return error
    const hadSession = request.headers.has('Authorization') && new URL(request.url).pathname !== LOGIN_PATH
    const apiError = new ApiError(response, error, hadSession)
    if (endsSession(apiError) || isAccountGone(apiError, request)) endSession('expired')
    return apiError
  })
}

function isAccountGone(error: ApiError, { url, method }: Request): boolean {
  return isAccountInDoubt(error) && method === 'GET' && new URL(url).pathname === OWN_ACCOUNT_PATH
}
