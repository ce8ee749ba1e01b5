import { MailRefused } from './transports.ts'

/** Codes of nodemailer, of Node and of SMTP. */
interface MailError {
  code?: string
  originalCode?: string
  responseCode?: number
  command?: string
  timeoutType?: string
}

/** Quotes nothing of the mail server, because its messages may contain recipients and content. */
export function explainMailError(error: unknown): string {
  const mailError: MailError = (error instanceof MailRefused ? error.cause : error) ?? {}
  const { code = '', originalCode = code, responseCode, command = '', timeoutType } = mailError
  const answer = responseCode === undefined ? '' : ` (${responseCode})`
  if (/^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT)/.test(originalCode))
    return `The certificate of the mail server is not accepted (${originalCode}). Use the host name of the certificate in SMTP_URL, or set NODE_EXTRA_CA_CERTS to the file of its authority`
  if (originalCode.startsWith('ERR_SSL_'))
    return `There is no TLS on this port of the mail server (${originalCode}). Use smtp:// in SMTP_URL, or another port, usually 465`
  if (timeoutType === 'GREETING_TIMEOUT')
    return 'The mail server does not greet. If its port begins with TLS, usually 465, use smtps:// in SMTP_URL'
  if (code === 'EDNS') return `The host in SMTP_URL is not found (${originalCode})`
  if (command === 'CONN')
    return `The mail server cannot be reached (${originalCode}). Check host and port in SMTP_URL, and firewalls: many networks block port 25`
  if (command === 'STARTTLS' && responseCode !== undefined)
    return `The mail server offers no TLS${answer}, without which the password is not sent. Use smtps:// in SMTP_URL, or append ?requireTLS=false to send it anyway`
  if (code === 'ETLS') return `TLS with the mail server failed (${originalCode})`
  if (code === 'EAUTH')
    return `The mail server does not accept the log-in${answer}. Check user and password in SMTP_URL`
  if (command === 'MAIL FROM') return `The mail server refuses the sender${answer}. Check MAIL_FROM`
  if (command.startsWith('RCPT TO')) return `The mail server refuses the recipient${answer}`
  if (responseCode !== undefined) return `The mail server refuses the mail${answer}`
  return `The mail cannot be sent (${originalCode || (error instanceof Error ? error.name : 'unknown')})`
}
