import { toast } from './toast'

/** @param success the message @returns whether the browser has copied it */
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
