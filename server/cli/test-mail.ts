import type { Config } from '../platform/config.ts'
import { isEmailAddress } from '../platform/lib/email-address.ts'
import { renderTemplate } from '../platform/mail/email-template.ts'
import { explainMailError } from '../platform/mail/mail-errors.ts'
import { createTransport } from '../platform/mail/transports.ts'
import type { Terminal } from './terminal.ts'

const usage = `Usage: npm run admin -- test-mail EMAIL
  sends a mail by the mail server of SMTP_URL`

/** Sends a mail with the settings, without a database. @returns the exit code */
export async function sendTestMail(
  [to, ...more]: string[],
  { mail, product }: Pick<Config, 'mail' | 'product'>,
  { say, complain }: Pick<Terminal, 'say' | 'complain'>,
): Promise<number> {
  if (to === undefined || more.length > 0) {
    complain(usage)
    return 2
  }
  if (!isEmailAddress(to)) {
    complain('That is not an email address')
    return 1
  }
  const transport = createTransport(mail)
  try {
    const content = renderTemplate(product, {
      subject: `Test mail of ${product}`,
      paragraphs: ['Hello,', 'This is a test. The mail settings work.'],
      closing: ['An operator of the server sent it. You need do nothing.'],
    })
    const sentTo = await transport.send({ ...content, to, kind: 'test' })
    say(
      mail.smtpUrl === undefined
        ? `SMTP_URL is not set. The mail is ${sentTo}`
        : `The mail server took the mail to ${to}`,
    )
    return 0
  } catch (error) {
    complain(explainMailError(error))
    return 1
  } finally {
    transport.close()
  }
}
