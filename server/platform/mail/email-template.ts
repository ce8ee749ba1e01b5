export interface MailContent {
  subject: string
  text: string
  html: string
}

/** A link of this application. URLs in users' texts never become links. */
interface Link {
  label: string
  url: string
}

type Paragraph = string | Link

export interface EmailTemplate {
  subject: string
  paragraphs: string[]
  action?: Link
  closing: Paragraph[]
}

/**
 * The greeting of a mail. Use it only for accounts that an administrator created, because anybody can sign up with the
 * address of another person and a message as the name. It leaves out text that does not look like a name.
 */
export function greetingOf({ full_name: name }: { full_name: string | null }): string {
  const trimmed = name?.trim() ?? ''
  return /^(?!.*\.\S)[\p{L}\p{M}\p{N} .,'’-]{1,60}$/u.test(trimmed) ? `Hello ${trimmed},` : 'Hello,'
}

export function renderTemplate(product: string, template: EmailTemplate): MailContent {
  const { subject, paragraphs, action, closing } = template
  const lines = [...paragraphs, ...(action ? [action] : []), ...closing].map((part) =>
    typeof part === 'string' ? part : `${part.label}\n${part.url}`,
  )
  return { subject, text: `${lines.join('\n\n')}\n\n-- \n${product}\n`, html: renderHtml(product, template) }
}

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

function renderHtml(product: string, { subject, paragraphs, action, closing }: EmailTemplate): string {
  const main = paragraphs.map((part) => paragraph(part, 'font-size:16px;line-height:24px;color:#18181b')).join('\n')
  const small = closing.map((part) => paragraph(part, 'font-size:14px;line-height:20px;color:#52525b')).join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:0;background:#f4f4f5">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f4f5">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border:1px solid #e4e4e7;border-radius:12px">
<tr><td style="padding:32px;${font}">
<p style="margin:0 0 24px;font-size:18px;font-weight:600;color:#18181b">${escapeHtml(product)}</p>
${main}
${action ? button(action) : ''}
${small}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

function button({ label, url }: Link): string {
  const address = escapeHtml(url)
  return `<p style="margin:24px 0"><a href="${address}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#18181b;color:#ffffff;font-size:16px;text-decoration:none">${escapeHtml(label)}</a></p>
<p style="margin:0 0 24px;font-size:12px;line-height:18px;color:#71717a;word-break:break-all">Or open this address: <a href="${address}" style="color:#71717a">${address}</a></p>`
}

function paragraph(part: Paragraph, style: string): string {
  return `<p style="margin:0 0 16px;${style}">${typeof part === 'string' ? escapeHtml(part) : link(part)}</p>`
}

function link({ label, url }: Link): string {
  const address = escapeHtml(url)
  return `${escapeHtml(label)} <a href="${address}" style="color:#18181b">${address}</a>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}
