import { loginLogout } from '@/client/sdk.gen'
import { endSession, getToken } from '../session'
import { toast } from '@/browser/toast'
import { store, tryStorage } from '@/browser/try-storage'
import { isTransient } from './errors'

/** Tokens whose log-out the server has not confirmed yet (docs/security.md). They have no other use. */
const KEY = 'unconfirmed_log_outs'
/** After this time, the server has ended the unused session itself. */
const MAX_AGE_MS = 24 * 60 * 60_000

interface LogOut {
  token: string
  at: number
}

export function logOut(): void {
  const token = getToken()
  endSession('changed')
  if (token === null) return
  save([...unconfirmed(), { token, at: Date.now() }])
  void confirmOrSay(token)
}

async function confirmOrSay(token: string): Promise<void> {
  if (await logOutOnServer(token)) return
  const note = 'This page tries again the next time you open it.'
  toast.error('You are logged out here, but the server did not confirm it.', note)
}

export function repeatLogOuts(): void {
  const waiting = unconfirmed()
  save(waiting)
  for (const { token } of waiting) void logOutOnServer(token)
}

/** @returns whether the session has ended, or is unknown to the server */
async function logOutOnServer(token: string): Promise<boolean> {
  try {
    await loginLogout({ auth: token, keepalive: true })
  } catch (error) {
    if (isTransient(error)) return false
  }
  save(unconfirmed().filter((one) => one.token !== token))
  return true
}

function unconfirmed(): LogOut[] {
  const isRecent = ({ at }: LogOut) => Math.abs(Date.now() - at) < MAX_AGE_MS
  return tryStorage(() => (JSON.parse(localStorage.getItem(KEY) ?? '[]') as LogOut[]).filter(isRecent)) ?? []
}

function save(logOuts: LogOut[]): void {
  if (logOuts.length === 0) tryStorage(() => localStorage.removeItem(KEY))
  else store('localStorage', KEY, JSON.stringify(logOuts))
}
