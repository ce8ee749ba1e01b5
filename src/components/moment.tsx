import { exactTime, timeText } from '@/lib/time-text'

/** `Dec 1, 2026, 6:45 PM`, with the exact time and that of UTC as its title. */
export function Moment({ time }: { time: string }) {
  return (
    <time dateTime={time} title={exactTime(time)}>
      {timeText(time)}
    </time>
  )
}
