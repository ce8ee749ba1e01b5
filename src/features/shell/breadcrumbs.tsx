import { useMatches } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { Link } from '@/components/link'
import { usePageName } from '@/data/page-name'

// A small screen has room for the last two, or for one if the text is large.
const crumbClass =
  'flex shrink-0 items-center gap-1.5 last:min-w-0 last:shrink nth-last-[n+3]:@max-[22rem]:hidden nth-last-2:@max-[15rem]:hidden'
const signClass =
  'size-3.5 shrink-0 in-[li:nth-last-child(2)]:@max-[22rem]:hidden in-[li:last-child]:@max-[15rem]:hidden'

const home = { label: 'Dashboard', to: '/' } as const

export function Breadcrumbs() {
  const { title = '', parent } = useMatches({ select: (matches) => matches.at(-1)?.staticData ?? {} })
  const name = usePageName()
  const page = { label: name ?? title, to: undefined }
  const crumbs = title === home.label ? [page] : [home, ...(parent ? [parent] : []), page]
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex items-center gap-1.5 text-muted-foreground">
        {crumbs.map(({ label, to }, index) => (
          <li key={label} className={crumbClass}>
            {index > 0 && <ChevronRight aria-hidden className={signClass} />}
            {to === undefined ? (
              <span aria-current="page" className="truncate text-foreground">
                {label}
              </span>
            ) : (
              <Link
                to={to}
                className="inline-flex min-h-6 items-center rounded hover:text-foreground pointer-coarse:min-w-11 pointer-coarse:py-3"
              >
                {label}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
