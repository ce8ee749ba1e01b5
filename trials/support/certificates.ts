import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerIdentity } from '../../scripts/throw-away-postgres.ts'

export interface Authority {
  file: string
  certificate: string
  identify(host: string): ServerIdentity & { files: { certificate: string; key: string } }
}

/** Creates an untrusted certificate authority with `openssl` 3. @param folder for its files; the caller deletes it */
export function createAuthority(folder: string, name: string): Authority {
  const file = join(folder, `${name}.pem`)
  const key = join(folder, `${name}.key`)
  request(key, file, [`/CN=${name}`])
  return {
    file,
    certificate: readFileSync(file, 'utf8'),
    identify(host) {
      const own = { key: join(folder, `${name}-${host}.key`), file: join(folder, `${name}-${host}.pem`) }
      const about = ['-CA', file, '-CAkey', key, '-addext', `subjectAltName=DNS:${host}`]
      request(own.key, own.file, [`/CN=${host}`, ...about])
      return {
        certificate: readFileSync(own.file, 'utf8'),
        key: readFileSync(own.key, 'utf8'),
        files: { certificate: own.file, key: own.key },
      }
    },
  }
}

function request(key: string, certificate: string, subject: string[]): void {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const files = ['-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', '-days', '1', ...curve, ...files, '-subj', ...subject], { stdio: 'pipe' })
}
