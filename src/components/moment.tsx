import { exactTime, timeText } from '@/lib/time-text'

export function Moment({ time }: { time: string }) {
  return (
    <time dateTime={time} title={exactTime(time)}>
      {timeText(time)}
    </time>
  )
}
