import type { CSSProperties } from 'react'
import { Badge } from '@/components/ui/badge'
import { choiceText } from '@/lib/choice-text'

interface ChoiceBadgeProps {
  value: string
  /** In their order, which decides the colour of each. */
  values: readonly (string | null)[]
}

/** Blue, amber, green, violet, cyan and pink, in degrees. */
const HUES = [255, 75, 155, 300, 205, 350]

/** A value of a choice. Lightness and contrast are those of the theme: `hue-colors` in src/index.css. */
export function ChoiceBadge({ value, values }: ChoiceBadgeProps) {
  const hue = HUES[Math.max(0, values.indexOf(value)) % HUES.length]
  return (
    <span style={{ '--hue': hue } as CSSProperties} className="flex max-w-full">
      <Badge variant="hue">
        <span className="truncate">{choiceText(value)}</span>
      </Badge>
    </span>
  )
}
