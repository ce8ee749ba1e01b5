// User agents also contain names of other browsers, so the first match counts.

const browsers: [name: string, pattern: RegExp][] = [
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Opera', /\b(OPR|OPT|OPX|Opera)\//],
  ['Edge', /\b(Edg|EdgA|EdgiOS|Edge)\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|CriOS|Chromium)\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
]

const systems: [name: string, pattern: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

export function describeUserAgent(userAgent: string | null): string {
  const nameOf = (known: typeof browsers) => known.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0]
  const browser = nameOf(browsers)
  const system = nameOf(systems)
  if (browser === undefined) return 'Unknown browser'
  return system === undefined ? browser : `${browser} on ${system}`
}
