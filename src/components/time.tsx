import { timeAgo } from '@/data/time-ago'
import { exactTime, timeText } from '@/lib/time-text'

export function Moment({ time }: { time: string }) {
  return (
    <time dateTime={time} title={exactTime(time)}>
      {timeText(time)}
    </time>
  )
}

export function TimeAgo({ time }: { time: string }) {
  return (
    <time dateTime={time} title={exactTime(time)} className="whitespace-nowrap cards:in-data-named:whitespace-normal">
      {timeAgo(time)}
    </time>
  )
}
