import { expect, test } from 'vitest'
import { addressOf } from './claims.ts'

const ada = 'ada@company.example'
const no = { email: null, vouched: undefined }
const silent = { email: ada, vouched: undefined }
const bySetting = { email: ada, vouched: 'by-setting' }
const byProvider = { email: ada, vouched: 'by-provider' }

test.each([
  ['the address is nowhere', {}, undefined, no, no],
  ['both are in the id token', { email: ada, email_verified: true }, undefined, byProvider, byProvider],
  ['both are in userinfo', {}, { email: ada, email_verified: true }, byProvider, byProvider],
  ['both are in userinfo, as Entra says it', {}, { email: ada, xms_edov: '1' }, byProvider, byProvider],
  ['the address is null in the id token', { email: null }, { email: ada, xms_edov: 1 }, byProvider, byProvider],
  [
    'the address is empty in the id token',
    { email: ' ' },
    { email: ada, email_verified: 'true' },
    byProvider,
    byProvider,
  ],
  ['the id token vouches for nothing', { email_verified: true }, { email: ada }, silent, bySetting],
  [
    'the id token vouches for nothing, userinfo says no',
    { email_verified: true },
    { email: ada, email_verified: false },
    silent,
    silent,
  ],
  ['userinfo vouches for nothing', { email: ada }, { email_verified: true }, silent, bySetting],
  [
    'userinfo vouches for the same address',
    { email: ada },
    { email: 'ADA@company.example', email_verified: true },
    byProvider,
    byProvider,
  ],
  [
    'userinfo vouches for another address',
    { email: ada },
    { email: 'eve@company.example', email_verified: true },
    silent,
    bySetting,
  ],
  ['userinfo says no as Entra does', { email: ada, email_verified: true }, { email: ada, xms_edov: 0 }, silent, silent],
  ['userinfo says no in text', { email: ada, email_verified: true }, { email_verified: 'false' }, silent, silent],
  ['the id token says no', { email: ada, email_verified: false }, { email: ada, email_verified: true }, silent, silent],
  ['the id token says it as Entra does', { email: ada, xms_edov: true }, undefined, byProvider, byProvider],
  [
    'the id token says no as Entra does',
    { email: ada, email_verified: true, xms_edov: '0' },
    undefined,
    silent,
    silent,
  ],
  ['the id token says it with a number', { email: ada, email_verified: 1 }, undefined, silent, bySetting],
  ['the address is no text', { email: [ada], email_verified: true }, { email: ada, email_verified: true }, no, no],
  ['the address is a ligature away', { email: 'ﬁona@company.example', email_verified: true }, undefined, no, no],
  ['the address is wide', { email: 'ａda@company.example', email_verified: true }, undefined, no, no],
  [
    'the address has its accents apart',
    { email: 'zoe\u0308@company.example', email_verified: true },
    undefined,
    { email: 'zoë@company.example', vouched: 'by-provider' },
    { email: 'zoë@company.example', vouched: 'by-provider' },
  ],
  [
    'the address is in capitals',
    { email: ' Ada@Company.example', email_verified: true },
    undefined,
    { email: 'Ada@Company.example', vouched: 'by-provider' },
    { email: 'Ada@Company.example', vouched: 'by-provider' },
  ],
])('if %s', (_what, idToken, userinfo, verified, always) => {
  const answers = userinfo ? [idToken, userinfo] : [idToken]
  expect([addressOf(answers, 'verified'), addressOf(answers, 'always')]).toEqual([verified, always])
})
