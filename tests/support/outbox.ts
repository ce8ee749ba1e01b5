import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'

/** Path and query of the link in the newest mail to an address, if it is a password recovery mail. */
export async function findResetLink(dataDir: string, to: string): Promise<string | undefined> {
  const mail = await findMail(dataDir, to)
  const link = /\S+\/reset-password\?token=[\w-]+/.exec(
    mail?.subject?.startsWith('Reset') ? (mail.text ?? '') : '',
  )?.[0]
  if (link === undefined) return undefined
  const { pathname, search } = new URL(link)
  return pathname + search
}

/** The newest mail to an address in a server's outbox folder. */
async function findMail(dataDir: string, to: string): Promise<Email | undefined> {
  const folder = join(dataDir, 'outbox')
  if (!existsSync(folder)) return undefined
  const files = readdirSync(folder).filter((name) => name.endsWith('.eml'))
  const mails = await Promise.all(files.toSorted().map((name) => PostalMime.parse(readFileSync(join(folder, name)))))
  return mails.findLast((mail) => mail.to?.some(({ address }) => address === to))
}
