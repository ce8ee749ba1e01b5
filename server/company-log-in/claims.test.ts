import { expect, test } from 'vitest'
import { addressOf } from './claims.ts'

const ada = 'ada@company.example'
const no = { email: null, vouched: undefined }
const silent = { email: ada, vouched: undefined }
const bySetting = { email: ada, vouched: 'by-setting' }
const byProvider = { email: ada, vouched: 'by-provider' }
/** What the provider says. */
const named = { email: ada }
const verified = { email: ada, email_verified: true }
const denied = { email: ada, email_verified: false }

test.each([
  ['the address is nowhere', {}, undefined, no, no],
  ['both are in the id token', verified, undefined, byProvider, byProvider],
  ['both are in userinfo', {}, verified, byProvider, byProvider],
  ['both are in userinfo, as Entra says it', {}, { email: ada, xms_edov: '1' }, byProvider, byProvider],
  ['the address is null in the id token', { email: null }, { email: ada, xms_edov: 1 }, byProvider, byProvider],
  [
    'the address is empty in the id token',
    { email: ' ' },
    { ...named, email_verified: 'true' },
    byProvider,
    byProvider,
  ],
  ['the id token vouches for nothing', { email_verified: true }, named, silent, bySetting],
  ['the id token vouches for nothing, userinfo says no', { email_verified: true }, denied, silent, silent],
  ['userinfo vouches for nothing', named, { email_verified: true }, silent, bySetting],
  [
    'userinfo vouches for the same address',
    named,
    { ...verified, email: 'ADA@company.example' },
    byProvider,
    byProvider,
  ],
  ['userinfo vouches for another address', named, { ...verified, email: 'eve@company.example' }, silent, bySetting],
  ['userinfo says no as Entra does', verified, { ...named, xms_edov: 0 }, silent, silent],
  ['userinfo says no in text', verified, { email_verified: 'false' }, silent, silent],
  ['the id token says no', denied, verified, silent, silent],
  ['the id token says it as Entra does', { ...named, xms_edov: true }, undefined, byProvider, byProvider],
  ['the id token says no as Entra does', { ...verified, xms_edov: '0' }, undefined, silent, silent],
  ['the id token says it with a number', { email: ada, email_verified: 1 }, undefined, silent, bySetting],
  ['the address is no text', { ...verified, email: [ada] }, verified, no, no],
  ['the address is a ligature away', { ...verified, email: 'ﬁona@company.example' }, undefined, no, no],
  ['the address is wide', { ...verified, email: 'ａda@company.example' }, undefined, no, no],
])('if %s', (_what, idToken, userinfo, ifVerified, always) => {
  const answers = userinfo ? [idToken, userinfo] : [idToken]
  expect([addressOf(answers, 'verified'), addressOf(answers, 'always')]).toEqual([ifVerified, always])
})

test.each([
  ['has its accents apart', 'zoe\u0308@company.example', 'zoë@company.example'],
  ['is in capitals', ' Ada@Company.example', 'Ada@Company.example'],
])('an address that %s is known in one form', (_what, said, email) => {
  for (const trust of ['verified', 'always'] as const)
    expect([trust, addressOf([{ ...verified, email: said }], trust)]).toEqual([
      trust,
      { email, vouched: 'by-provider' },
    ])
})
