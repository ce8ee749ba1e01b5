import type { QueryClient } from '@tanstack/react-query'
import { toast } from '@/browser/toast'
import { instanceOptions } from './api/instance'

const sentences: Partial<Record<string, (name: string) => string>> = {
  denied: (name) => `The log-in at ${name} was cancelled or refused.`,
  expired: () => 'This log-in has expired, please start again.',
  failed: (name) => `The log-in at ${name} failed. If it fails again, ask your administrator.`,
  'no-account': () => 'You have no account here. Ask your administrator for an invitation.',
  'not-verified': (name) => `Your address is not confirmed at ${name}. Ask your administrator.`,
  'connect-first': (name) => `Log in with your password and connect ${name} on your security page.`,
  inactive: () => 'Your account here is not active. Ask your administrator.',
  unavailable: (name) => `At the moment there is no connection to ${name}. Please try again later.`,
  'too-many': () => 'There were too many log-ins from your network or of your account. Please try again later.',
  taken: (name) => `This account at ${name} is connected to another account here.`,
  'not-recent': (name) =>
    `${name} did not confirm that you have just logged in. Try again, or confirm it in another way.`,
}

export function providerErrorText(code: string, name = 'the provider'): string {
  // The code comes from a URL, so it can be anything.
  const sentence = Object.hasOwn(sentences, code) ? sentences[code] : undefined
  return sentence ? sentence(name) : `The log-in at ${name} did not succeed. Please try again.`
}

export async function reportProviderError(queryClient: QueryClient, code: string): Promise<void> {
  const instance = await queryClient.ensureQueryData(instanceOptions).catch(() => undefined)
  toast.error(providerErrorText(code, instance?.oidc?.name))
}
