import { clsx } from 'clsx'

const looks = {
  inline: '',
  whole: 'inline-block max-w-full overflow-clip align-top [overflow-clip-margin:0.25em]',
  'one line': 'block truncate',
  'two lines': 'line-clamp-2 whitespace-pre-line',
}

interface UserTextProps {
  children: string
  /** `inline`: as a part of a sentence; otherwise on its own, where marks that pile up are not drawn over the rows around it. */
  show?: keyof typeof looks
}

/** A text that a person has typed. Its direction does not reach the text around it. */
export function UserText({ children, show = 'inline' }: UserTextProps) {
  return <bdi className={clsx('wrap-anywhere', looks[show])}>{children}</bdi>
}
