import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { newFolder } from '../test/new-folder.ts'

describe('settings', () => {
  test('have defaults; an empty value counts as absent', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: '' })).toMatchObject({
      host: 'localhost',
      port: 8000,
      databaseUrl: undefined,
      publicUrl: 'http://localhost:8000',
      product: 'Steward',
      mail: { smtpUrl: undefined, from: { name: 'Steward', address: 'no-reply@localhost' }, ehloName: undefined },
      corsOrigins: [],
      trustedProxies: [],
      passwordPolicy: 'spec',
      signUp: 'open',
      auditDays: undefined,
      backups: undefined,
      metrics: undefined,
      firstSuperuser: { email: 'admin@example.com', password: undefined },
      session: { idleMs: 24 * 3_600_000, maxMs: 7 * 24 * 3_600_000 },
    })
  })

  test('make a daily backup and keep seven, if BACKUP_DIR is set', () => {
    const { backups } = readConfig({ BACKUP_DIR: '/backups', DATABASE_URL: '' })
    expect(backups).toMatchObject({ folder: '/backups', everyMs: 24 * 3_600_000, keep: 7 })
  })

  test('serve metrics on the loopback address, if METRICS_PORT is set', () => {
    expect(readConfig({ METRICS_PORT: '9400' }).metrics).toEqual({ host: '127.0.0.1', port: 9400 })
    expect(readConfig({ METRICS_PORT: '9400', METRICS_HOST: '::' }).metrics).toEqual({ host: '::', port: 9400 })
  })

  test('of a provider of company accounts have defaults', () => {
    const settings = { OIDC_ISSUER: 'https://login.example.com/realms/common', OIDC_CLIENT_ID: 'steward' }
    expect(readConfig({})).toMatchObject({ oidc: undefined, passwordLogIn: true })
    expect(readConfig({ ...settings, PASSWORD_LOG_IN: 'off' })).toMatchObject({
      oidc: {
        issuer: 'https://login.example.com/realms/common',
        clientId: 'steward',
        clientSecret: undefined,
        name: 'login.example.com',
        trustEmail: 'verified',
      },
      passwordLogIn: false,
    })
    for (const issuer of ['http://localhost:9000', 'http://127.0.0.1', 'http://[::1]:9000/x'])
      expect(readConfig({ ...settings, OIDC_ISSUER: issuer }).oidc?.issuer).toBe(issuer)
  })

  test.each([
    ['http://login.example.com', 'must be an https address'],
    ['http://localhost.example.com', 'must be an https address'],
    ['https://login.example.com/?x=1', 'must be an https address'],
    ['https://user:secret@login.example.com', 'must be an https address'],
    ['login.example.com', 'must be an https address'],
    ['https://login.microsoftonline.com/common/v2.0', 'must name one tenant'],
    ['https://login.microsoftonline.com/organizations/v2.0', 'must name one tenant'],
    ['https://login.microsoftonline.com/{tenantid}/v2.0', 'must name one tenant'],
  ])('refuse %s as a provider of company accounts', (issuer, message) => {
    expect(() => readConfig({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'steward' })).toThrow(`  OIDC_ISSUER: ${message}`)
  })

  test.each([
    [{ OIDC_ISSUER: 'https://login.example.com' }, 'OIDC_CLIENT_ID: is needed for OIDC_ISSUER'],
    [{ OIDC_CLIENT_SECRET: 'zq7' }, 'OIDC_CLIENT_SECRET: needs OIDC_ISSUER'],
    [{ PASSWORD_LOG_IN: 'off' }, 'PASSWORD_LOG_IN: off needs OIDC_ISSUER'],
  ])('refuse a part of the settings of a provider', (env, message) => {
    expect(() => readConfig(env)).toThrow(`  ${message}`)
  })

  test('that exclude each other are listed together with other errors', () => {
    const env = { BACKUP_DIR: 'backups', DATABASE_URL: 'postgres://db/steward', PORT: 'x' }
    expect(() => readConfig(env)).toThrow('  BACKUP_DIR: ')
    expect(() => readConfig(env)).toThrow('  PORT: ')
  })

  test('accept an address with combining accents', () => {
    const { firstSuperuser } = readConfig({ FIRST_SUPERUSER: 'jo\u0308rg@mu\u0308ller.de' })
    expect(firstSuperuser.email).toBe('jo\u0308rg@mu\u0308ller.de')
    expect(() => readConfig({ FIRST_SUPERUSER: 'x\u0302@example.com' })).toThrow(ConfigError)
  })

  test('report all errors at once, without values', () => {
    const wrong = {
      PORT: 'zq7',
      DATABASE_URL: 'mysql://zq7',
      DATABASE_CONNECTIONS: '1',
      PUBLIC_URL: 'zq7',
      SMTP_URL: 'http://zq7',
      MAIL_FROM: 'zq7',
      CORS_ORIGINS: 'https://zq7.example/path',
      TRUSTED_PROXIES: '10.0.0.0/33',
      DRAIN_SECONDS: '-1',
      LOG_LEVEL: 'zq7',
      API_DOCS: 'zq7',
      PASSWORD_POLICY: 'zq7',
      SIGN_UP: 'zq7',
      SIGNUP_LIMIT_PER_HOUR: '0',
      AUDIT_DAYS: '0.5',
      BACKUP_EVERY_HOURS: '0',
      METRICS_PORT: 'zq7',
      BACKUP_KEEP: '0',
      FIRST_SUPERUSER: 'zq7',
      FIRST_SUPERUSER_PASSWORD: 'zq7',
      SESSION_IDLE_HOURS: '0',
      SESSION_MAX_HOURS: 'zq7',
      VITE_APP_NAME: 'zq7\n',
    }
    const read = () => readConfig(wrong)
    expect(read).toThrow(ConfigError)
    for (const name of Object.keys(wrong)) expect(read).toThrow(`  ${name}: `)
    expect(read).not.toThrow('zq7')
  })

  test.each([
    { PUBLIC_URL: 'https://steward.example.org/?' },
    { PUBLIC_URL: 'https://steward.example.org/#' },
    { PUBLIC_URL: 'https://:secret@steward.example.org' },
    { TRUSTED_PROXIES: '0.0.0.0/0' },
    { PORT: ' ' },
    { PORT: '0x50' },
    { PORT: '70000' },
    { SESSION_IDLE_HOURS: '0.001' },
    { BACKUP_DIR: 'backups', DATABASE_URL: 'postgres://db/steward' },
    { SECOND_FACTOR: 'all', DATABASE_URL: 'postgres://db/steward' },
  ])('%j is rejected', (env) => {
    expect(() => readConfig(env)).toThrow(ConfigError)
  })

  test.each([
    [{ PUBLIC_URL: 'HTTPS://Steward.example.org' }, 'https://steward.example.org'],
    [{ HOST: '0.0.0.0' }, 'http://localhost:8000'],
    [{ HOST: '::' }, 'http://localhost:8000'],
    [{ HOST: '::1', PORT: '9000' }, 'http://[::1]:9000'],
    [{ HOST: '10.0.0.5' }, 'http://10.0.0.5:8000'],
    [{ PUBLIC_URL: 'https://steward.example.org/' }, 'https://steward.example.org'],
  ])('%j: links begin with %s', (settings, publicUrl) => {
    expect(readConfig(settings).publicUrl).toBe(publicUrl)
  })

  test.each([
    ['PUBLIC_URL', 'ftp://example.org'],
    ['PUBLIC_URL', 'https://example.org/?a=b'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['PUBLIC_URL', 'https://example.org/steward/'],
    ['SESSION_IDLE_HOURS', '169'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://a.example, https://b.example/'],
    ['TRUSTED_PROXIES', 'everyone'],
    ['TRUSTED_PROXIES', '10.0.0.1/8/8'],
    ['MAIL_FROM', 'a@b, c@d'],
    ['MAIL_FROM', 'Steward a@example.org'],
    ['MAIL_FROM', 'Steward:a@example.org'],
    ['MAIL_FROM', 'team: a@b, c@d;'],
    ['MAIL_FROM', 'Steward <a@b> <c@d>'],
    ['MAIL_FROM', 'Steward <a@b>, c@d'],
    ['MAIL_FROM', 'Steward <"a;b"@c>'],
    ['MAIL_FROM', 'Steward <>'],
    ['MAIL_FROM', 'Steward <a@b>\r\nBcc: c@d'],
    ['FIRST_SUPERUSER', 'admin@localhost'],
    ['FIRST_SUPERUSER_PASSWORD', '👩'.repeat(7)],
    ['FIRST_SUPERUSER_PASSWORD', 'x'.repeat(257)],
    ['SECOND_FACTOR', 'none'],
    ['SECRET_KEY', 'x'.repeat(31)],
    ['PORT', '65536'],
    ['PORT', '80.5'],
  ])('%s rejects %j', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(`  ${name}: `)
  })

  test.each([
    ['DATABASE_URL', 'postgres://user:pass@db.example:5432/steward?sslmode=verify-full'],
    ['DATABASE_URL', 'postgresql:///steward?host=/run/postgresql'],
    ['SECOND_FACTOR', 'all'],
    ['SECRET_KEY', 'x'.repeat(32)],
    ['SMTP_URL', 'smtps://user:p%40ss@mail.example:465'],
    ['SMTP_URL', 'smtp://mail.example/?name=a@b'],
    ['DATABASE_URL', 'postgres://db.example/steward?user=a@b'],
    ['CORS_ORIGINS', 'https://a.example, http://localhost:5173'],
    ['TRUSTED_PROXIES', '10.0.0.0/8, ::1, 192.0.2.7, 2001:db8::/32'],
    ['MAIL_FROM', 'Steward <no-reply@example.org>'],
    ['MAIL_FROM', 'no-reply@example.org'],
    ['FIRST_SUPERUSER_PASSWORD', '👩'.repeat(8)],
  ])('%s accepts %j', (name, value) => {
    expect(() => readConfig({ [name]: value })).not.toThrow()
  })

  test.each([
    ['FIRST_SUPERUSER_PASSWORD', 'long enough\n', 'ends in a line break; remove it'],
    ['FIRST_SUPERUSER_PASSWORD', 'long enough\r\n', 'ends in a line break; remove it'],
    ['SECRET_KEY', `'${'x'.repeat(32)}'`, 'is in quotes, which env files of containers keep; remove them'],
    ['SMTP_URL', '"smtp://mail.example"', 'is in quotes, which env files of containers keep; remove them'],
    ...['smtp://user:pa#ss@mail.example', 'smtps://user:pa/ss@mail.example:465', 'smtp://user:pa?ss@mail.example'].map(
      (url) => ['SMTP_URL', url, 'must have escapes in its user and password: %23 for #, %2F for /, %3F for ?'],
    ),
  ])('%s %j is refused with what to do, once, and without the value', (name, value, error) => {
    expect(() => readConfig({ [name]: value })).toThrow(new ConfigError(`Invalid settings:\n  ${name}: ${error}`))
  })

  test('numbers out of range are reported with their range', () => {
    const read = (env: Record<string, string>) => () => readConfig(env)
    expect(read({ BACKUP_KEEP: '0' })).toThrow(/^ {2}BACKUP_KEEP: must be a whole number from 1 to 1000$/m)
    expect(read({ AUDIT_DAYS: '0.5' })).toThrow(/^ {2}AUDIT_DAYS: must be a whole number from 1 to 36500$/m)
    const least = /^ {2}SIGNUP_LIMIT_PER_HOUR: must be a whole number of at least 1$/m
    expect(read({ SIGNUP_LIMIT_PER_HOUR: 'x' })).toThrow(least)
    const hours = /^ {2}BACKUP_EVERY_HOURS: must be a number of hours from 0.01 to 8760$/m
    expect(read({ BACKUP_EVERY_HOURS: '0' })).toThrow(hours)
  })

  test('a session may not be idle for longer than it lasts', () => {
    const error = '  SESSION_IDLE_HOURS: must not exceed SESSION_MAX_HOURS'
    expect(() => readConfig({ SESSION_IDLE_HOURS: '9', SESSION_MAX_HOURS: '8' })).toThrow(error)
    const { session } = readConfig({ SESSION_MAX_HOURS: '8' })
    expect(session).toEqual({ idleMs: 8 * 3_600_000, maxMs: 8 * 3_600_000 })
  })

  test('the sender of mails is at the public host', () => {
    const settings = { PUBLIC_URL: 'https://steward.example.org', VITE_APP_NAME: 'Butler' }
    expect(readConfig(settings).mail.from).toEqual({ name: 'Butler', address: 'no-reply@steward.example.org' })
  })
})

test.each([
  ['no-reply@example.org', ''],
  ['<no-reply@example.org>', ''],
  ['Steward <no-reply@example.org>', 'Steward'],
  ['Steward<no-reply@example.org>', 'Steward'],
  ['Steward: Operations; (old), "new" <no-reply@example.org>', 'Steward: Operations; (old), "new"'],
  ['"Steward, Inc. \\"old\\"" <no-reply@example.org>', 'Steward, Inc. "old"'],
  ['"Half <no-reply@example.org>', '"Half'],
  ['Büro Köln <no-reply@example.org>', 'Büro Köln'],
])('the sender of mails of %j has the name %j', (MAIL_FROM, name) => {
  expect(readConfig({ MAIL_FROM }).mail.from).toEqual({ name, address: 'no-reply@example.org' })
})

test.each([
  ['https://steward.example.org', 'steward.example.org'],
  ['https://steward.example.org:8443', 'steward.example.org'],
  ['https://büro.example', 'xn--bro-hoa.example'],
  ['http://192.0.2.7:8000', '[192.0.2.7]'],
  ['http://[2001:db8::7]:8000', '[IPv6:2001:db8::7]'],
  [undefined, undefined],
])('with PUBLIC_URL %s, mail servers are greeted with %s', (PUBLIC_URL, name) => {
  expect(readConfig({ PUBLIC_URL }).mail.ehloName).toBe(name)
})

describe('settings in files', () => {
  function newFile(content: string | Buffer): string {
    const file = join(newFolder(), 'secret')
    writeFileSync(file, content)
    return file
  }

  test('are read without the line end of the file', () => {
    const config = readConfig({
      DATABASE_URL_FILE: newFile('postgres://db/steward\n'),
      SMTP_URL_FILE: newFile('smtp://mail.example\r\n'),
      SECRET_KEY_FILE: newFile('x'.repeat(32)),
      FIRST_SUPERUSER_PASSWORD_FILE: newFile(' with blanks \n'),
      SECOND_FACTOR: 'all',
    })
    expect(config).toMatchObject({
      databaseUrl: 'postgres://db/steward',
      mail: { smtpUrl: 'smtp://mail.example' },
      secretKey: 'x'.repeat(32),
      firstSuperuser: { password: ' with blanks ' },
    })
  })

  test('keep a #, lose a byte order mark, and are refused in another encoding', () => {
    const read = (content: string | Buffer) =>
      readConfig({ FIRST_SUPERUSER_PASSWORD_FILE: newFile(content) }).firstSuperuser.password
    expect(read('correct-horse#battery # x\n')).toBe('correct-horse#battery # x')
    expect(read('\uFEFFcorrect horse\r\n')).toBe('correct horse')
    for (const content of [Buffer.from('correct horse\n', 'utf16le'), Buffer.from('Köln am Rhein', 'latin1')])
      expect(() => read(content)).toThrow(
        /^ {2}FIRST_SUPERUSER_PASSWORD_FILE: \/.*secret is not UTF-8; save it as UTF-8$/m,
      )
  })

  test('are reported with the name of the file and without its content', () => {
    const file = newFile('zq7\n')
    const read = () =>
      readConfig({
        SECRET_KEY_FILE: file,
        DATABASE_URL: 'postgres://db/steward',
        DATABASE_URL_FILE: file,
        SMTP_URL_FILE: '/nowhere/smtp',
        FIRST_SUPERUSER_PASSWORD_FILE: newFile('\n'),
        PORT: 'zq7',
      })
    expect(read).toThrow(/^ {2}SECRET_KEY: must have at least 32 characters$/m)
    expect(read).toThrow(/^ {2}DATABASE_URL_FILE: only one of DATABASE_URL and DATABASE_URL_FILE can be set$/m)
    expect(read).toThrow(/^ {2}SMTP_URL_FILE: \/nowhere\/smtp cannot be read: ENOENT$/m)
    expect(read).toThrow(/^ {2}FIRST_SUPERUSER_PASSWORD_FILE: \/.*secret is empty$/m)
    expect(read).toThrow(/^ {2}PORT: /m)
    expect(read).not.toThrow('zq7')
  })

  test('that are empty or absent are not set', () => {
    expect(readConfig({ SECRET_KEY_FILE: '', SECRET_KEY: 'x'.repeat(32) }).secretKey).toBe('x'.repeat(32))
  })
})
