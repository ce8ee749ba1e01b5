import { clsx } from 'clsx'
import { Link } from '@/components/link'
import { Logo } from '@/components/logo'
import { Tooltip } from '@/components/ui/tooltip'
import type { NavGroup, NavLink } from './navigation'
import { logoClass } from './shell-skeleton'
import { UserMenu, type UserMenuProps } from './user-menu'

export function Sidebar({ groups, ...props }: UserMenuProps & { groups: readonly NavGroup[] }) {
  const { collapsed, onChoose } = props
  const edge = clsx('p-2', collapsed && 'pointer-coarse:px-px')
  return (
    <div className="flex h-full flex-col">
      <Link to="/" onClick={onChoose} className={logoClass(!collapsed)}>
        <Logo withName={!collapsed} />
      </Link>
      <nav aria-label="Main" className={clsx('flex-1 overflow-x-hidden overflow-y-auto', edge)}>
        {groups.map(({ heading, links }) => (
          <section key={heading ?? ''} aria-label={heading} className="mb-4">
            {heading !== undefined && (
              <h2
                aria-hidden
                className={clsx('px-2 pb-1 text-xs font-medium text-muted-foreground', collapsed && 'invisible')}
              >
                {heading}
              </h2>
            )}
            <ul className="flex flex-col gap-1">
              {links.map((link) => (
                <li key={link.url}>
                  <SidebarLink link={link} collapsed={collapsed} onChoose={onChoose} />
                  {link.links && !collapsed && (
                    <ul className="mt-1 ml-4 flex flex-col gap-1 border-l pl-2">
                      {link.links.map((child) => (
                        <li key={child.url}>
                          <SidebarLink link={child} collapsed={false} onChoose={onChoose} />
                        </li>
                      ))}
                    </ul>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <div className={clsx('grid', edge)}>
        <UserMenu {...props} />
      </div>
    </div>
  )
}

function SidebarLink({ link, collapsed, onChoose }: { link: NavLink; collapsed: boolean; onChoose: () => void }) {
  const { title, url, icon: Icon } = link
  return (
    <Tooltip label={collapsed ? title : undefined} side="right">
      <Link
        to={url}
        current="by address"
        // Each page is below the dashboard.
        activeOptions={{ exact: url === '/', includeSearch: false }}
        onClick={onChoose}
        className={clsx(
          'flex h-8 items-center gap-2 rounded-md px-2 whitespace-nowrap text-muted-foreground pointer-coarse:h-11',
          collapsed && 'pointer-coarse:px-3.5',
          'hover:bg-muted/60 hover:text-foreground',
          'aria-[current]:bg-muted aria-[current]:font-medium aria-[current]:text-foreground aria-[current]:[&_svg]:text-primary',
        )}
      >
        {Icon && <Icon aria-hidden className="size-4 shrink-0" />}
        <span className={clsx(collapsed && 'sr-only')}>{title}</span>
      </Link>
    </Tooltip>
  )
}
