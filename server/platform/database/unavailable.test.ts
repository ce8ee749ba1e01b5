import { expect, test } from 'vitest'
import { isUnavailable } from './unavailable.ts'

const withCode = (code: string) => Object.assign(new Error('x'), { code })

test.each([
  ['a certificate that has expired', withCode('CERT_HAS_EXPIRED')],
  ['a certificate of another host', withCode('ERR_TLS_CERT_ALTNAME_INVALID')],
  ['a certificate of an unknown authority', withCode('UNABLE_TO_VERIFY_LEAF_SIGNATURE')],
  ['a connection refused', withCode('ECONNREFUSED')],
  ['too many connections', withCode('53300')],
  ['no file handle left for a connection', withCode('EMFILE')],
  ['no port left for a connection', withCode('EADDRNOTAVAIL')],
  ['a network that is down', withCode('ENETDOWN')],
  ['a name server that fails', withCode('EAI_FAIL')],
  ['a server without TLS', new Error('The server does not support SSL connections')],
  ['a connection closed before TLS', new Error('There was an error establishing an SSL connection')],
  ['a full disk', withCode('ENOSPC')],
  ['a used up quota', withCode('EDQUOT')],
  ['a disk that was mounted again as read-only', withCode('EROFS')],
  ['a folder of somebody else', withCode('EACCES')],
  ['no free connection in time', new Error('timeout exceeded when trying to connect')],
])('%s means that the database is unavailable', (_, error) => {
  expect(isUnavailable(error)).toBe(true)
})

test.each([
  ['a duplicate value', withCode('23505')],
  ['a missing table', withCode('42P01')],
  ['an internal error', new TypeError('x is not a function')],
  ['a value that is not an error', 'CERT_HAS_EXPIRED'],
])('%s does not mean that the database is unavailable', (_, error) => {
  expect(isUnavailable(error)).toBe(false)
})
