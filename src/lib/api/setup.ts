import { client } from '@/client/client.gen'
import { endSession, getToken } from '../session'
import { ApiError, endsSession } from './errors'

const LOGIN_PATH = '/api/v1/login/access-token'

/** Every call of the API passes here: the saved token goes along, errors become `ApiError`, a dead session ends. */
export function setUpClient(): void {
  client.interceptors.request.use((request) => {
    const token = getToken()
    if (token !== null) request.headers.set('Authorization', `Bearer ${token}`)
    return request
  })

  client.interceptors.error.use((error, response, request) => {
    // Without a response there was none (offline, cut, cancelled); with a good one its body could not be read.
    if (!response || response.ok) return error
    const apiError = new ApiError(response, error)
    if (endsSession(apiError) && request && isOfThisSession(request)) endSession()
    return apiError
  })
}

/** A late answer to a request of an earlier session must not end the one begun since; nor does a refused log-in. */
function isOfThisSession(request: Request): boolean {
  const isLogin = new URL(request.url).pathname === LOGIN_PATH
  return !isLogin && request.headers.get('Authorization') === `Bearer ${getToken()}`
}
