import { toast } from './toast'

/** @param success the message after success @returns whether the browser has allowed it */
export async function copyText(text: string, success: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(success)
    return true
  } catch {
    // Browsers copy only on secure origins.
    toast.error('Your browser does not allow this. Copy the text by hand.')
    return false
  }
}
