import { encode } from 'uqr'

/** The quiet zone that readers need, in modules. */
const MARGIN = 4

/** Black on white in both themes, because not all apps read inverted codes. */
export function QrCode({ text }: { text: string }) {
  const { size, data } = encode(text, { border: MARGIN, ecc: 'M' })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an image in a data URL would contain the secret
      role="img"
      aria-label="QR code for your authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-48 max-w-full rounded-md border bg-white"
    >
      <path d={dark.join('')} fill="black" />
    </svg>
  )
}
