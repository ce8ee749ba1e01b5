import { loginLogout } from '@/client/sdk.gen'
import { endSession, getToken } from '@/lib/session'

/** Ends the session here at once. The answer of the server does not matter. */
export function logOut(): void {
  // By hand: the token is removed before the request is put together.
  void loginLogout({ headers: { Authorization: `Bearer ${getToken()}` } })
  endSession('changed')
}
