import type { LinkProps } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Circle, CircleCheckBig } from 'lucide-react'
import { PanelRow } from '@/components/panel'

export function Step(props: { title: string; text: string; link?: LinkProps; isDone?: boolean }) {
  const { title, text, link, isDone = false } = props
  const Sign = isDone ? CircleCheckBig : Circle
  return (
    <PanelRow
      link={link}
      picture={
        <Sign aria-hidden className={clsx('size-5 shrink-0', isDone ? 'text-success' : 'text-muted-foreground')} />
      }
      title={
        <>
          {title}
          {isDone && <span className="sr-only"> (done)</span>}
        </>
      }
      text={text}
    />
  )
}
