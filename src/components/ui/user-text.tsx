import { clsx } from 'clsx'

const looks = {
  inline: '',
  whole: 'inline-block max-w-full overflow-clip align-top [overflow-clip-margin:0.25em]',
  'one line': 'block truncate text-left',
  'two lines': 'line-clamp-2 text-left whitespace-pre-line',
  cell: 'block max-w-full min-w-0 truncate text-left narrow:line-clamp-2 narrow:whitespace-pre-line',
}

interface UserTextProps {
  children: string
  /** `inline` is for text within sentences. All others clip stacked diacritics, which could cover other text. */
  show?: keyof typeof looks
}

/** User input with an isolated text direction. */
export function UserText({ children, show = 'inline' }: UserTextProps) {
  return (
    <bdi title={show === 'cell' ? children : undefined} className={clsx('wrap-anywhere', looks[show])}>
      {children}
    </bdi>
  )
}
