import { timeAgo } from '@/data/time-ago'
import { exactTime } from '@/lib/time-text'

export function TimeAgo({ time }: { time: string }) {
  return (
    <time dateTime={time} title={exactTime(time)} className="whitespace-nowrap cards:in-data-named:whitespace-normal">
      {timeAgo(time)}
    </time>
  )
}
