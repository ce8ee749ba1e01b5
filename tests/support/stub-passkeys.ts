import { onTestFinished, vi } from 'vitest'

interface Stubs {
  create?: (options: CredentialCreationOptions) => Promise<unknown>
  get?: (options: CredentialRequestOptions) => Promise<unknown>
  /** Whether the browser offers passkeys in the suggestions of fields. */
  suggests?: boolean
}

/** Replaces the API for passkeys, which jsdom lacks. */
export function stubPasskeys({ suggests = false, ...credentials }: Stubs = {}): void {
  const isConditionalMediationAvailable = () => Promise.resolve(suggests)
  // @simplewebauthn/browser asks whether this is a function.
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

/** The answer of an authenticator. @param parts of the response, in base64url */
export function answerOf(parts: Record<string, string>) {
  const response = Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, toBuffer(text)]))
  return { id: 'AQID', rawId: toBuffer('AQID'), type: 'public-key', response, getClientExtensionResults: () => ({}) }
}
