import { expect, test } from 'vitest'
import { isUnavailable } from '../store/unavailable.ts'

const withCode = (code: string) => Object.assign(new Error('x'), { code })

test.each([
  ['a certificate that has expired', withCode('CERT_HAS_EXPIRED')],
  ['a certificate of another host', withCode('ERR_TLS_CERT_ALTNAME_INVALID')],
  ['a certificate of nobody we know', withCode('UNABLE_TO_VERIFY_LEAF_SIGNATURE')],
  ['a connection refused', withCode('ECONNREFUSED')],
  ['too many connections', withCode('53300')],
  ['no file handle left for a connection', withCode('EMFILE')],
  ['no port left for one', withCode('EADDRNOTAVAIL')],
  ['a network that is down', withCode('ENETDOWN')],
  ['a name server that fails', withCode('EAI_FAIL')],
  ['a proxy that does not know TLS', new Error('The server does not support SSL connections')],
  ['a proxy that breaks off before TLS', new Error('There was an error establishing an SSL connection')],
  ['no free connection in time', new Error('timeout exceeded when trying to connect')],
])('%s: the database is away', (_, error) => {
  expect(isUnavailable(error)).toBe(true)
})

test.each([
  ['a value that is there already', withCode('23505')],
  ['a table that is not there', withCode('42P01')],
  ['an error of ours', new TypeError('x is not a function')],
  ['what is no error at all', 'CERT_HAS_EXPIRED'],
])('%s: it is not', (_, error) => {
  expect(isUnavailable(error)).toBe(false)
})
