import { expect, test } from 'vitest'
import { findMisspeltSettings } from './setting-names.ts'

test.each([
  ['STMP_URL', 'STMP_URL is no setting. Did you mean SMTP_URL?'],
  ['DATABASE_URI', 'DATABASE_URI is no setting. Did you mean DATABASE_URL?'],
  ['SESSION_MAX_HOUR', 'SESSION_MAX_HOUR is no setting. Did you mean SESSION_MAX_HOURS?'],
  ['PROT', 'PROT is no setting. Did you mean PORT?'],
  ['VITE_APPNAME', 'VITE_APPNAME is no setting. Did you mean VITE_APP_NAME?'],
  ['SMTP_URL_FILES', 'SMTP_URL_FILES is no setting. Did you mean SMTP_URL_FILE?'],
  ['OIDC_SCOPES', 'OIDC_SCOPES is no setting of this version'],
  ['OIDC_ISSURE', 'OIDC_ISSURE is no setting. Did you mean OIDC_ISSUER?'],
  ['SMTP_PASSWORD', 'SMTP_PASSWORD is no setting of this version'],
  ['BACKUP_FOLDER', 'BACKUP_FOLDER is no setting of this version'],
])('%s is reported without its value', (name, message) => {
  expect(findMisspeltSettings({ [name]: 'zq7' })).toEqual([message])
})

test.each([
  [{ SMTP_URL: 'smtp://localhost', VITE_API_URL: 'https://api.example.com' }],
  [{ SECRET_KEY_FILE: '/run/secrets/key', DATABASE_URL_FILE: '/run/secrets/database' }],
  [{ OIDC_ISSUER: '', STMP_URL: undefined }],
  [{ DATABASE_URL: 'postgres://db/steward', DATABASE_URI: 'postgres://db/steward' }],
  [{ DATABASE_SERVICE_HOST: '10.0.0.1', DATABASE_PORT_5432_TCP: 'tcp://10.0.0.1:5432' }],
  [{ HOME: '/root', PATH: '/bin', HOSTNAME: 'a', LOGNAME: 'root', SESSION_MANAGER: 'x', XDG_DATA_DIRS: '/usr/share' }],
  [{ npm_config_port: '1', NODE_ENV: 'production', TERM: 'xterm', USER: 'root', LANG: 'C', MAIL: '/var/mail/root' }],
])('%j has no misspelt settings', (env) => {
  expect(findMisspeltSettings(env)).toEqual([])
})
