import { loginLogout } from '@/client/sdk.gen'
import { endSession, getToken } from '@/lib/session'

/** Ends the session here at once, and on the server as soon as it can be told; what it answers does not matter. */
export function logOut(): void {
  // The token goes along by hand: it is forgotten before the request is put together.
  void loginLogout({ headers: { Authorization: `Bearer ${getToken()}` } })
  endSession()
}
