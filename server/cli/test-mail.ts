import type { Config } from '../platform/config.ts'
import { isEmailAddress } from '../platform/lib/email-address.ts'
import { renderTemplate } from '../platform/mail/email-template.ts'
import { explainMailError } from '../platform/mail/mail-errors.ts'
import { createTransport } from '../platform/mail/transports.ts'
import { CommandFailed, WrongUsage } from './explain-failure.ts'
import type { Terminal } from './terminal.ts'

const usage = `Usage: npm run admin -- test-mail EMAIL
  sends a mail by the mail server of SMTP_URL`

/** Sends a mail with the settings, without a database. @throws WrongUsage, CommandFailed */
export async function sendTestMail(
  [to, ...more]: string[],
  { mail, product }: Pick<Config, 'mail' | 'product'>,
  { say }: Pick<Terminal, 'say'>,
): Promise<void> {
  if (to === undefined || more.length > 0) throw new WrongUsage(usage)
  if (!isEmailAddress(to)) throw new CommandFailed('That is not an email address')
  const content = renderTemplate(product, {
    subject: `Test mail of ${product}`,
    paragraphs: ['Hello,', 'This is a test. The mail settings work.'],
    closing: ['An operator of the server sent it. You do not need to do anything.'],
  })
  const transport = createTransport(mail)
  try {
    const sentTo = await transport.send({ ...content, to, kind: 'test' })
    const isSent = mail.smtpUrl !== undefined
    say(isSent ? `The mail server accepted the mail to ${to}` : `SMTP_URL is not set. The mail is ${sentTo}`)
  } catch (error) {
    throw new CommandFailed(explainMailError(error))
  } finally {
    transport.close()
  }
}
