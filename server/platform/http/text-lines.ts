export interface Line {
  level: string
  time: number
  msg?: string
  err?: { stack?: string; message?: string }
  method?: string
  route?: string
  status?: number
  ms?: number
  [fact: string]: unknown
}

export function toText({ level, time, msg, err, method, route, status, ms, ...facts }: Line): string {
  const clock = new Date(time).toTimeString().slice(0, 8)
  const request = method === undefined ? msg : `${method} ${route} ${status} ${ms} ms`
  const others = Object.entries(facts).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const head = [clock, level, request, method !== undefined && msg !== 'request' && msg, ...others]
  const stack = err && indent(err.stack ?? err.message ?? '')
  return [head.filter(Boolean).join(' '), stack].filter(Boolean).join('\n')
}

/** An error may quote input, which must not look like a line of the log or control a terminal. */
function indent(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, '?').replaceAll(/^/gm, '    ')
}
