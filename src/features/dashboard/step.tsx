import type { LinkProps } from '@tanstack/react-router'
import { Circle, CircleCheckBig } from 'lucide-react'
import { Link } from '@/components/link'
import { panelRow } from '@/components/panel'

interface StepProps {
  title: string
  text: string
  link?: LinkProps
  isDone?: boolean
}

export function Step({ title, text, link, isDone = false }: StepProps) {
  const Sign = isDone ? CircleCheckBig : Circle
  const content = (
    <>
      <Sign aria-hidden className={isDone ? 'size-5 shrink-0 text-success' : 'size-5 shrink-0 text-muted-foreground'} />
      <span className="min-w-0">
        <span className="block font-medium">
          {title}
          {isDone && <span className="sr-only"> (done)</span>}
        </span>{' '}
        <span className="block text-muted-foreground">{text}</span>
      </span>
    </>
  )
  return (
    <li>
      {link ? (
        <Link {...link} className={panelRow}>
          {content}
        </Link>
      ) : (
        <div className={panelRow}>{content}</div>
      )}
    </li>
  )
}
