import { onTestFinished, vi } from 'vitest'

interface Stubs {
  create?: (options: CredentialCreationOptions) => Promise<unknown>
  get?: (options: CredentialRequestOptions) => Promise<unknown>
  /** Whether the browser suggests passkeys in fields. */
  suggests?: boolean
}

/** Gives the browser passkeys, which jsdom lacks. */
export function stubPasskeys({ suggests = false, ...credentials }: Stubs = {}): void {
  const isConditionalMediationAvailable = () => Promise.resolve(suggests)
  // A function, as the library asks for.
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => undefined, { isConditionalMediationAvailable }),
  )
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: credentials })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    Reflect.deleteProperty(navigator, 'credentials')
  })
}

const toBuffer = (text: string) => new Uint8Array(Buffer.from(text, 'base64url')).buffer

/** What an authenticator answers. @param parts by name, in base64url */
export function answerOf(parts: Record<string, string>) {
  const response = Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, toBuffer(text)]))
  return { id: 'AQID', rawId: toBuffer('AQID'), type: 'public-key', response, getClientExtensionResults: () => ({}) }
}
