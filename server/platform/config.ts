import { isIP, isIPv4, isIPv6 } from 'node:net'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { isEmailAddress } from './lib/email-address.ts'
import { isLoopback } from './lib/network-address.ts'
import { passwordLengthError } from './lib/password-length.ts'
import type { Mailbox } from './mail/transports.ts'
import { fileSettingNames, readSettingsInFiles } from './settings-in-files.ts'

const commaSeparated = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)
const portNumber = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .pipe(z.number().max(65535))
const wholeNumber = (min: number, max?: number) => numberWithin('whole number', min, max, Number.isInteger)
const hours = (min: number, max?: number) => numberWithin('number of hours', min, max)
/** A session in constant use must not expire between two writes of its last use, which come once a minute. */
const MIN_SESSION_HOURS = 0.05
const IDLE_HOURS = 24
const MB = 1024 ** 2
const shortName = z.string().regex(/^[^\p{Cc}]{1,60}$/u, 'must be a short name in one line')
const NEEDS_ISSUER = 'needs OIDC_ISSUER'
const UNESCAPED = 'must have escapes in its user and password: %23 for #, %2F for /, %3F for ?'
const serverUrl = (protocol: RegExp, message: string) =>
  z
    .string()
    .refine((text) => !isUnescaped(text), { error: UNESCAPED, abort: true })
    .refine((text) => protocol.test(URL.parse(text)?.protocol ?? ''), message)
    .optional()

/** Every setting of the server, as an environment variable. `setting-descriptions.ts` describes them. */
export const environment = z.object({
  HOST: z.string().default('localhost'),
  PORT: portNumber.default(8000),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: serverUrl(/^postgres(ql)?:$/, 'must begin with postgres://'),
  DATABASE_CONNECTIONS: wholeNumber(2, 1000).default(10),
  PUBLIC_URL: z.string().refine(isPublicUrl, 'must be an http(s) address without path, query or fragment').optional(),
  SMTP_URL: serverUrl(/^smtps?:$/, 'must begin with smtp:// or smtps://'),
  MAIL_FROM: z
    .string()
    .transform((text, context) => {
      const mailbox = mailboxOf(text)
      if (mailbox) return mailbox
      context.addIssue('must be like no-reply@example.com or Steward <no-reply@example.com>')
      return z.NEVER
    })
    .optional(),
  CONFIRM_EMAIL: z.enum(['on', 'off']).optional(),
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, { error: 'must be an https address without query or fragment', abort: true })
    .refine((text) => !isPlaceholder(text), 'must name one tenant: the address has a placeholder')
    .optional(),
  OIDC_CLIENT_ID: z.string().max(1024).optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: shortName.optional(),
  OIDC_TRUST_EMAIL: z.enum(['verified', 'always']).optional(),
  PASSWORD_LOG_IN: z.enum(['on', 'off']).default('on'),
  CORS_ORIGINS: commaSeparated
    .refine((origins) => origins.every(isOrigin), 'must be origins like https://app.example.com, separated by commas')
    .default([]),
  TRUSTED_PROXIES: commaSeparated
    .refine((list) => list.every(isNetwork), 'must be addresses or networks like 10.0.0.0/8, separated by commas')
    .default([]),
  DRAIN_SECONDS: numberWithin('number of seconds', 0, 300).default(0),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  LOG_FORMAT: z.enum(['json', 'text']).default('json'),
  PASSWORD_POLICY: z.enum(['spec', 'strict']).default('spec'),
  SECOND_FACTOR: z.enum(['optional', 'superusers', 'all']).default('optional'),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  API_DOCS: z.enum(['on', 'off']).default('on'),
  SIGN_UP: z.enum(['open', 'closed']).default('open'),
  SIGNUP_LIMIT_PER_HOUR: wholeNumber(1).default(100),
  AUDIT_DAYS: wholeNumber(1, 36_500).optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_EVERY_HOURS: hours(0.01, 8760).default(24),
  BACKUP_KEEP: wholeNumber(1, 1000).default(7),
  FILES_URL: z
    .string()
    .refine((text) => bucketOf(text) !== undefined, 'must be like s3://bucket/folder?region=eu-central-1')
    .optional(),
  FILES_ACCESS_KEY_ID: z.string().optional(),
  FILES_SECRET_ACCESS_KEY: z.string().optional(),
  FILES_MAX_MB: wholeNumber(1, 10_000).default(25),
  FILES_QUOTA_MB: wholeNumber(1).default(1000),
  METRICS_PORT: portNumber.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  FIRST_SUPERUSER: z.string().refine(isEmailAddress, 'must be an email address').default('admin@example.com'),
  FIRST_SUPERUSER_PASSWORD: z
    .string()
    .superRefine((text, context) => {
      const message = passwordLengthError(text)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })
    .optional(),
  SESSION_IDLE_HOURS: hours(MIN_SESSION_HOURS).optional(),
  SESSION_MAX_HOURS: hours(MIN_SESSION_HOURS).default(7 * 24),
  // The build of the web application reads it, too.
  VITE_APP_NAME: shortName.default('Steward'),
})

/** Includes the settings of the build and the development server of the web application. */
export const settingNames: readonly string[] = [
  ...Object.keys(environment.shape),
  ...fileSettingNames,
  'VITE_API_URL',
  'DEV_PORT',
]

/** `when` makes Zod check several settings together even if one is invalid, so that the message lists all errors. */
const errorOf = (name: string, error: string) => ({ path: [name], error, when: () => true })

const settingsTogether = environment
  .refine(
    ({ BACKUP_DIR, DATABASE_URL }) => BACKUP_DIR === undefined || DATABASE_URL === undefined,
    errorOf('BACKUP_DIR', 'is for SQLite; PostgreSQL has its own tools for backups'),
  )
  // Without a key nobody could set up an authenticator app, which everybody would need to log in.
  .refine(
    ({ SECOND_FACTOR, SECRET_KEY, DATABASE_URL }) =>
      !['superusers', 'all'].includes(SECOND_FACTOR) || SECRET_KEY !== undefined || DATABASE_URL === undefined,
    errorOf('SECRET_KEY', 'is needed for SECOND_FACTOR on PostgreSQL'),
  )
  .refine(
    ({ SESSION_IDLE_HOURS = 0, SESSION_MAX_HOURS }) => !(SESSION_IDLE_HOURS > SESSION_MAX_HOURS),
    errorOf('SESSION_IDLE_HOURS', 'must not exceed SESSION_MAX_HOURS'),
  )
  .refine(
    ({ OIDC_ISSUER, OIDC_CLIENT_ID }) => OIDC_ISSUER === undefined || OIDC_CLIENT_ID !== undefined,
    errorOf('OIDC_CLIENT_ID', 'is needed for OIDC_ISSUER'),
  )
  .superRefine((settings, context) => {
    const isBucket = settings.FILES_URL !== undefined
    const message = isBucket ? 'is needed for FILES_URL' : 'needs FILES_URL'
    for (const name of ['FILES_ACCESS_KEY_ID', 'FILES_SECRET_ACCESS_KEY'] as const)
      if ((settings[name] !== undefined) !== isBucket) context.addIssue({ code: 'custom', path: [name], message })
  })
  .superRefine((settings, context) => {
    if (settings.OIDC_ISSUER !== undefined) return
    for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME', 'OIDC_TRUST_EMAIL'] as const)
      if (settings[name] !== undefined) context.addIssue({ code: 'custom', path: [name], message: NEEDS_ISSUER })
    if (settings.PASSWORD_LOG_IN === 'off')
      context.addIssue({ code: 'custom', path: ['PASSWORD_LOG_IN'], message: `off ${NEEDS_ISSUER}` })
  })

export type Config = ReturnType<typeof readConfig>

export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** An empty variable counts as absent. @throws ConfigError that lists every error but no value */
export function readConfig(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const { settings: complete, errors } = readSettingsInFiles(given)
  const badlyWritten = findBadlyWritten(complete)
  errors.push(...Array.from(badlyWritten, ([name, error]) => `${name}: ${error}`))
  const result = settingsTogether.safeParse(complete)
  if (!result.success || errors.length > 0) {
    const others = result.error?.issues.filter(({ path }) => !badlyWritten.has(path.join('.'))) ?? []
    errors.push(...others.map(({ path, message }) => `${path.join('.')}: ${message}`))
    throw new ConfigError(`Invalid settings:\n${errors.map((error) => `  ${error}`).join('\n')}`)
  }
  const settings = result.data
  const dataDir = resolve(settings.DATA_DIR)
  const localhost = settings.PORT === 0 ? undefined : localUrl(settings.HOST, settings.PORT)
  const publicUrl = settings.PUBLIC_URL ? new URL(settings.PUBLIC_URL).origin : localhost
  return {
    host: settings.HOST,
    port: settings.PORT,
    dataDir,
    databaseUrl: settings.DATABASE_URL,
    databaseConnections: settings.DATABASE_CONNECTIONS,
    /** `undefined` if the port is unknown until the server listens. */
    publicUrl,
    product: settings.VITE_APP_NAME,
    mail: {
      smtpUrl: settings.SMTP_URL,
      from: settings.MAIL_FROM ?? {
        name: settings.VITE_APP_NAME,
        address: `no-reply@${mailDomain(publicUrl ?? localUrl(settings.HOST, settings.PORT))}`,
      },
      /** How the server introduces itself to the mail server. `undefined` is the name of the machine. */
      ehloName: settings.PUBLIC_URL && ehloNameOf(settings.PUBLIC_URL),
      outbox: join(dataDir, 'outbox'),
    },
    confirmEmail: (settings.CONFIRM_EMAIL ?? (settings.SMTP_URL === undefined ? 'off' : 'on')) === 'on',
    oidc:
      settings.OIDC_ISSUER === undefined || settings.OIDC_CLIENT_ID === undefined
        ? undefined
        : {
            /** Must equal the issuer in the provider's id tokens exactly. Some issuers end with a slash. */
            issuer: settings.OIDC_ISSUER,
            clientId: settings.OIDC_CLIENT_ID,
            /** `undefined` for a public client of OAuth 2.0, which has no secret. */
            clientSecret: settings.OIDC_CLIENT_SECRET,
            name: settings.OIDC_NAME ?? new URL(settings.OIDC_ISSUER).host,
            /** `verified` trusts email addresses that a claim confirms; `always` trusts all that no claim denies. */
            trustEmail: settings.OIDC_TRUST_EMAIL ?? 'verified',
          },
    passwordLogIn: settings.PASSWORD_LOG_IN === 'on',
    corsOrigins: settings.CORS_ORIGINS,
    drainMs: settings.DRAIN_SECONDS * 1000,
    logLevel: settings.LOG_LEVEL,
    logFormat: settings.LOG_FORMAT,
    apiDocs: settings.API_DOCS === 'on',
    passwordPolicy: settings.PASSWORD_POLICY,
    signUp: settings.SIGN_UP,
    secondFactor: settings.SECOND_FACTOR,
    /** `undefined` uses a file in the data folder, unless the database is PostgreSQL. */
    secretKey: settings.SECRET_KEY,
    signupLimitPerHour: settings.SIGNUP_LIMIT_PER_HOUR,
    /** `undefined` keeps entries for ever. */
    auditDays: settings.AUDIT_DAYS,
    /** `undefined` disables automatic backups. */
    backups:
      settings.BACKUP_DIR === undefined
        ? undefined
        : {
            folder: resolve(settings.BACKUP_DIR),
            files: settings.FILES_URL === undefined ? join(dataDir, 'files') : undefined,
            everyMs: settings.BACKUP_EVERY_HOURS * 3_600_000,
            keep: settings.BACKUP_KEEP,
          },
    files: {
      maxBytes: settings.FILES_MAX_MB * MB,
      /** The limit for all files together that an account has uploaded. */
      quotaBytes: settings.FILES_QUOTA_MB * MB,
      /** The folder for the contents of files, if there is no bucket. */
      folder: join(dataDir, 'files'),
      bucket: toBucket(settings),
    },
    /** `undefined` disables metrics. */
    metrics:
      settings.METRICS_PORT === undefined ? undefined : { host: settings.METRICS_HOST, port: settings.METRICS_PORT },
    firstSuperuser: { email: settings.FIRST_SUPERUSER, password: settings.FIRST_SUPERUSER_PASSWORD },
    session: {
      idleMs: (settings.SESSION_IDLE_HOURS ?? Math.min(IDLE_HOURS, settings.SESSION_MAX_HOURS)) * 3_600_000,
      maxMs: settings.SESSION_MAX_HOURS * 3_600_000,
    },
    trustedProxies: settings.TRUSTED_PROXIES,
  }
}

/** Reads a URL such as `s3://bucket/folder?region=eu-central-1`. @returns `undefined` if the text is no such URL */
function bucketOf(text: string): { place: string; address: string; region: string } | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 's3:' || !/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(url.hostname)) return undefined
  if (url.port !== '' || url.username !== '' || url.password !== '' || url.hash !== '') return undefined
  if ([...url.searchParams.keys()].some((key) => !['region', 'endpoint'].includes(key))) return undefined
  const { hostname: bucket, searchParams } = url
  const region = searchParams.get('region') ?? 'us-east-1'
  const endpoint = searchParams.get('endpoint')
  if (!/^[a-z\d-]+$/.test(region) || (endpoint !== null && !isPublicUrl(endpoint))) return undefined
  const base =
    endpoint === null ? `https://${bucket}.s3.${region}.amazonaws.com` : `${new URL(endpoint).origin}/${bucket}`
  const folder = url.pathname.replaceAll(/^\/+|\/+$/g, '')
  // Other characters would need escapes in the signature.
  if (!/^[\w.~/-]*$/.test(folder)) return undefined
  return { place: `s3://${bucket}/${folder}`, address: `${base}/${folder === '' ? '' : `${folder}/`}`, region }
}

function toBucket(settings: z.output<typeof environment>) {
  const { FILES_URL: url, FILES_ACCESS_KEY_ID: accessKeyId, FILES_SECRET_ACCESS_KEY: secretAccessKey } = settings
  const bucket = url === undefined ? undefined : bucketOf(url)
  return bucket && accessKeyId !== undefined && secretAccessKey !== undefined
    ? { ...bucket, accessKeyId, secretAccessKey }
    : undefined
}

/** Finds settings whose value contains the line break of a pipe or the quotes of an env file. */
function findBadlyWritten(env: Record<string, string | undefined>): Map<string, string> {
  const found = new Map<string, string>()
  for (const name of Object.keys(environment.shape)) {
    const value = env[name] ?? ''
    if (/[\r\n]$/.test(value)) found.set(name, 'ends in a line break; remove it')
    else if (/^(["']).+\1$/s.test(value))
      found.set(name, 'is in quotes, which env files of containers keep; remove them')
  }
  return found
}

/** Whether the password of a URL has an unescaped `/`, `?` or `#`, so that the user would be taken for the host. */
function isUnescaped(url: string): boolean {
  const [, authority = '', rest = ''] = /^\w+:\/\/([^/?#]*)([^]*)$/.exec(url) ?? []
  const isQuery = /^\/?[^/?#@]*\?\w+=/.test(rest)
  return !authority.includes('@') && rest.includes('@') && !isQuery
}

/** The URL at which a browser on this machine reaches a server that listens on `host`. */
export function localUrl(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  return `http://${everywhere ? 'localhost' : isIPv6(host) ? `[${host}]` : host}:${port}`
}

/** Every invalid value gets the same message, with both bounds. */
function numberWithin(what: string, min: number, max = Infinity, isAllowed: (value: number) => boolean = () => true) {
  const message = `must be a ${what} ${max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`}`
  return z.coerce.number(message).refine((value) => value >= min && value <= max && isAllowed(value), message)
}

/** Allows no path, because the web application is served at the root of its host. */
function isPublicUrl(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    !/[?#]/.test(text) &&
    url.username === '' &&
    url.password === ''
  )
}

/** Allows `http` only for this machine, because the server exchanges secrets and tokens with the issuer. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || text.length > 255 || /[?#\s]/.test(text) || url.username !== '' || url.password !== '')
    return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

/** Microsoft Entra's issuers for any tenant, such as `common`, let anybody log in. Their tokens name another issuer. */
function isPlaceholder(issuer: string): boolean {
  const [, tenant = ''] = new URL(issuer).pathname.split('/')
  return ['common', 'organizations', 'consumers'].includes(tenant.toLowerCase()) || /[{}]|%7b/i.test(issuer)
}

/** Whether a text is an origin as browsers send it in `Origin`: a scheme and a host, nothing else. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  )
}

/** Reads `Name <address>`, `"Name" <address>` or an address. A quoted name may contain any character. */
function mailboxOf(text: string): Mailbox | undefined {
  const [, name = '', address = text] = /^([^<>\p{Cc}]*)<([^<>]+)>$/u.exec(text) ?? []
  if (!/^[^\s@<>()[\]:;,"\\\p{Cc}]+@[^\s@<>(),;"\\\p{Cc}]+$/u.test(address)) return undefined
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/.exec(name.trim()) ?? []
  return { name: quoted?.replaceAll(/\\(.)/g, '$1') ?? name.trim(), address }
}

function ehloNameOf(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  return isIPv4(hostname) ? `[${hostname}]` : hostname.replace(/^\[/, '[IPv6:')
}

function mailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? hostname : 'localhost'
}
