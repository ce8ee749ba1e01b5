import { environment } from './config.ts'

type ClientSetting = 'VITE_API_URL' | 'DEV_PORT'

interface Description {
  meaning: string
  /** The effect of leaving the setting out, if its schema in `config.ts` has no default. */
  unset?: string
}

/** In the order of docs/settings.md. */
const descriptions: Record<keyof typeof environment.shape | ClientSetting, Description> = {
  HOST: { meaning: 'Address to listen on. `localhost` is 127.0.0.1 and ::1.' },
  PORT: { meaning: 'Port to listen on. 0 selects a free port.' },
  DATA_DIR: { meaning: 'Folder of the SQLite database, uploaded files, mail files and temporary export files.' },
  DATABASE_URL: { unset: 'SQLite in `DATA_DIR`', meaning: '`postgres://…` uses [PostgreSQL](deploy.md#postgresql).' },
  DATABASE_CONNECTIONS: { meaning: 'PostgreSQL connections of one server, without those of long reads.' },
  PUBLIC_URL: {
    unset: 'http://HOST:PORT',
    meaning: 'URL that people open, without a path. Links in mails begin with it.',
  },
  SMTP_URL: {
    unset: '`.eml` files in `data/outbox/`',
    meaning: '[Mail server](deploy.md#mail), `smtp://…` or `smtps://…`.',
  },
  MAIL_FROM: {
    unset: 'no-reply at the host of `PUBLIC_URL`',
    meaning: 'Sender of mails: an address, or `Name <address>`.',
  },
  CONFIRM_EMAIL: { unset: 'on with `SMTP_URL`, else off', meaning: '`on` confirms new addresses by a mailed link.' },
  OIDC_ISSUER: { meaning: 'Issuer of the [company accounts](deploy.md#company-accounts) (OpenID Connect).' },
  OIDC_CLIENT_ID: { meaning: 'Client id of Steward at the provider. `OIDC_ISSUER` needs it.' },
  OIDC_CLIENT_SECRET: { unset: 'none, for a public client', meaning: 'Client secret from the provider.' },
  OIDC_NAME: { unset: 'host of `OIDC_ISSUER`', meaning: 'Name on the button `Log in with NAME`.' },
  OIDC_TRUST_EMAIL: {
    unset: 'verified',
    meaning: '`always` also trusts an address if the provider does not say whether it is verified.',
  },
  PASSWORD_LOG_IN: { meaning: '`off` allows only company accounts and passkeys.' },
  CORS_ORIGINS: { meaning: 'Other origins that may use the API, separated by commas.' },
  TRUSTED_PROXIES: {
    meaning: 'Proxies whose `X-Forwarded-For` is trusted: addresses or networks, separated by commas.',
  },
  DRAIN_SECONDS: { meaning: 'Seconds that the server keeps serving after SIGTERM while `/readyz` returns 503.' },
  LOG_LEVEL: { meaning: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.' },
  LOG_FORMAT: { meaning: '`json`, or `text` for people to read.' },
  API_DOCS: { meaning: '`off` removes `/docs` and `/api/v1/openapi.json`.' },
  PASSWORD_POLICY: { meaning: '`strict` also rejects common passwords and the person’s own name and address.' },
  SIGN_UP: { meaning: '`closed`: only administrators create or invite accounts.' },
  SECOND_FACTOR: {
    meaning: 'Who needs an authenticator app or a passkey besides the password: `optional`, `superusers` or `all`.',
  },
  SECRET_KEY: {
    unset: '`DATA_DIR/secret.key`',
    meaning: 'At least 32 characters. [Encrypts the secrets](operate.md#the-secret-key) of authenticator apps.',
  },
  SIGNUP_LIMIT_PER_HOUR: { meaning: 'Sign-ups per network address and hour.' },
  AUDIT_DAYS: { unset: 'unlimited', meaning: 'The server deletes older entries of the audit log.' },
  FILES_URL: { unset: '`DATA_DIR/files`', meaning: 'Bucket of an S3-compatible storage for [files](deploy.md#files).' },
  FILES_ACCESS_KEY_ID: { meaning: 'Access key of the bucket. `FILES_URL` needs it.' },
  FILES_SECRET_ACCESS_KEY: { meaning: 'Secret of the access key.' },
  FILES_MAX_MB: { meaning: 'Largest size of an uploaded file.' },
  FILES_QUOTA_MB: { meaning: 'Size of all files that one account has uploaded.' },
  BACKUP_DIR: { meaning: 'Folder for [automatic backups](operate.md#back-up-and-restore) of SQLite. Not `DATA_DIR`.' },
  BACKUP_EVERY_HOURS: { meaning: 'Hours between two automatic backups.' },
  BACKUP_KEEP: { meaning: 'Number of automatic backups to keep.' },
  METRICS_PORT: { meaning: 'Port of `/metrics` for [Prometheus](operate.md#metrics).' },
  METRICS_HOST: { meaning: 'Address to listen on for `/metrics`, which needs no log-in.' },
  FIRST_SUPERUSER: { meaning: 'Address of the superuser that the server creates in an empty database.' },
  FIRST_SUPERUSER_PASSWORD: { unset: 'generated, printed once', meaning: 'Password of that superuser.' },
  SESSION_IDLE_HOURS: {
    unset: '24',
    meaning: 'A session ends after this time without use. At most `SESSION_MAX_HOURS`.',
  },
  SESSION_MAX_HOURS: { meaning: 'A session ends after this time in any case.' },
  DEV_PORT: { unset: '5173', meaning: 'Port of the page of `npm run dev`.' },
  VITE_API_URL: { unset: 'same origin', meaning: 'Build: origin of the API.' },
  VITE_APP_NAME: { meaning: 'Product name. The web application reads it when it is built.' },
}

export const settingRows: string[][] = Object.entries(descriptions).map(([name, { unset, meaning }]) => [
  `\`${name}\``,
  unset ?? defaultOf(name),
  meaning,
])

function defaultOf(name: string): string {
  const schemas: Record<string, { safeParse: (value: undefined) => { data?: unknown } }> = environment.shape
  const value = schemas[name]?.safeParse(undefined).data
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'none'
}
