import { readSettingsText, UnreadableFile } from './env-file.ts'

type Env = Record<string, string | undefined>

/** Settings with a secret, which can be the content of a file. */
const secretSettings = [
  'DATABASE_URL',
  'SMTP_URL',
  'SECRET_KEY',
  'OIDC_CLIENT_SECRET',
  'FILES_SECRET_ACCESS_KEY',
  'FIRST_SUPERUSER_PASSWORD',
]

export const fileSettingNames: readonly string[] = secretSettings.map((name) => `${name}_FILE`)

/** @returns the settings with the contents of their files, and an error for each file that cannot be used */
export function readSettingsInFiles(env: Env): { settings: Env; errors: string[] } {
  const settings = { ...env }
  const errors: string[] = []
  for (const name of secretSettings) {
    const file = env[`${name}_FILE`]
    if (file === undefined) continue
    const refuse = (message: string): unknown => errors.push(`${name}_FILE: ${message}`)
    if (env[name] !== undefined) refuse(`only one of ${name} and ${name}_FILE can be set`)
    else {
      try {
        settings[name] = readSettingsText(file).replace(/\r?\n$/, '')
        if (settings[name] === '') refuse(`${file} is empty`)
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error
        refuse(error.message)
      }
    }
  }
  return { settings, errors }
}
