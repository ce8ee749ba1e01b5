import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'

/** Path and query of the link in the newest mail to an address, if that is a password reset mail. */
export async function findResetLink(dataDir: string, to: string): Promise<string | undefined> {
  const mail = await findMail(dataDir, to)
  return mail?.subject?.startsWith('Reset') ? linkIn(mail, 'reset-password') : undefined
}

export async function findLink(dataDir: string, to: string, page: string): Promise<string | undefined> {
  return linkIn(await findMail(dataDir, to), page)
}

function linkIn(mail: Email | undefined, page: string): string | undefined {
  const [link] = new RegExp(String.raw`\S+/${page}\?token=[\w-]+`).exec(mail?.text ?? '') ?? []
  if (link === undefined) return undefined
  const { pathname, search } = new URL(link)
  return pathname + search
}

async function findMail(dataDir: string, to: string): Promise<Email | undefined> {
  const folder = join(dataDir, 'outbox')
  if (!existsSync(folder)) return undefined
  const files = readdirSync(folder).filter((name) => name.endsWith('.eml'))
  const mails = await Promise.all(files.toSorted().map((name) => PostalMime.parse(readFileSync(join(folder, name)))))
  return mails.findLast((mail) => mail.to?.some(({ address }) => address === to))
}
