import type { CSSProperties } from 'react'
import { Badge } from '@/components/ui/badge'
import { choiceText } from '@/lib/choice-text'

interface ChoiceBadgeProps {
  value: string
  /** All values. The position of a value decides its colour. */
  values: readonly (string | null)[]
}

/** Blue, amber, green, violet, cyan and pink, in degrees. */
const HUES = [255, 75, 155, 300, 205, 350]

/** The class `hue-colors` in src/index.css sets lightness and contrast for each theme. */
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
