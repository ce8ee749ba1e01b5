import { resolve } from 'node:path'
import { z } from 'zod'

const commaSeparated = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' })

/** Every setting of the server, as it stands in the environment. README's table of settings lists the same names. */
const environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number('must be a port number').int().min(0).max(65535).default(8000),
  DATA_DIR: z.string().default('data'),
  PUBLIC_URL: httpUrl.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  FIRST_SUPERUSER: z.string().default('admin@example.com'),
  FIRST_SUPERUSER_PASSWORD: z.string().optional(),
  SESSION_IDLE_HOURS: z.coerce.number('must be a number of hours').positive().default(24),
  SESSION_MAX_HOURS: z.coerce
    .number('must be a number of hours')
    .positive()
    .default(7 * 24),
  TRUSTED_PROXIES: commaSeparated.default([]),
})

export type Config = ReturnType<typeof readConfig>

/** All that is wrong with the settings, in one message. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * Reads the settings once, at start. An empty variable counts as absent.
 * @throws ConfigError that lists every fault, never a value
 */
export function readConfig(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const result = environment.safeParse(given)
  if (!result.success) {
    const faults = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new ConfigError(`These settings are not right:\n${faults.join('\n')}`)
  }
  const settings = result.data
  return {
    host: settings.HOST,
    port: settings.PORT,
    dataDir: resolve(settings.DATA_DIR),
    publicUrl: settings.PUBLIC_URL?.replace(/\/$/, '') ?? `http://${settings.HOST}:${settings.PORT}`,
    logLevel: settings.LOG_LEVEL,
    firstSuperuser: { email: settings.FIRST_SUPERUSER, password: settings.FIRST_SUPERUSER_PASSWORD },
    session: { idleMs: settings.SESSION_IDLE_HOURS * 3_600_000, maxMs: settings.SESSION_MAX_HOURS * 3_600_000 },
    trustedProxies: settings.TRUSTED_PROXIES,
  }
}
