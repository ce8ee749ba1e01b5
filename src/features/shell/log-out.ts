import { loginLogout } from '@/client/sdk.gen'
import { endSession, getToken } from '@/lib/session'

/** Ends the session at once, without waiting for the server. */
export function logOut(): void {
  // Set explicitly, because the token is removed before the client builds the request.
  loginLogout({ headers: { Authorization: `Bearer ${getToken()}` } }).catch(() => undefined)
  endSession('changed')
}
