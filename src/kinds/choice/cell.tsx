import type { CSSProperties } from 'react'
import { Badge } from '@/components/ui/badge'
import { choiceText } from '@/lib/text'

/** Blue, amber, green, violet, cyan and pink, in degrees. */
const HUES = [255, 75, 155, 300, 205, 350]

/** src/index.css sets lightness and contrast of `hue-colors` for each theme. */
export function ChoiceBadge({ value, values }: { value: string; values: readonly (string | null)[] }) {
  const hue = HUES[Math.max(0, values.indexOf(value)) % HUES.length]
  return (
    <span style={{ '--hue': hue } as CSSProperties} className="flex max-w-full">
      <Badge variant="hue">
        <span className="truncate">{choiceText(value)}</span>
      </Badge>
    </span>
  )
}
