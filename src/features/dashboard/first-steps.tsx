import { Link, type LinkProps } from '@tanstack/react-router'
import { Circle, CircleCheckBig } from 'lucide-react'
import { useTheme } from 'next-themes'
import { Panel, panelRow } from '@/components/panel'
import { useCurrentUser } from '@/lib/api/current-user'

/** What a user without items has done, and can do next. @param props.hasInvited whether there are other users */
export function FirstSteps({ hasInvited }: { hasInvited: boolean }) {
  const { full_name, is_superuser } = useCurrentUser()
  const { theme = 'system' } = useTheme()
  return (
    <Panel title="First steps">
      <Step title="Add your first item" text="A title, and a description if you like." link={addItem} />
      {is_superuser && (
        <Step title="Invite a user" text="They choose their own password." link={inviteUser} isDone={hasInvited} />
      )}
      <Step title="Add your name" text="It is shown in place of your email." link={addName} isDone={!!full_name} />
      <Step
        title="Choose a theme"
        text="Light, dark, or as your system has it."
        link={chooseTheme}
        isDone={theme !== 'system'}
      />
    </Panel>
  )
}

const addItem: LinkProps = { to: '/items', search: { dialog: { kind: 'add' } } }
const inviteUser: LinkProps = { to: '/users', search: { dialog: { kind: 'invite' } } }
const addName: LinkProps = { to: '/settings' }
const chooseTheme: LinkProps = { to: '/settings', search: { tab: 'appearance' } }

interface StepProps {
  title: string
  text: string
  link: LinkProps
  isDone?: boolean
}

function Step({ title, text, link, isDone = false }: StepProps) {
  const Sign = isDone ? CircleCheckBig : Circle
  return (
    <li>
      <Link {...link} className={panelRow}>
        <Sign
          aria-hidden
          className={isDone ? 'size-5 shrink-0 text-success' : 'size-5 shrink-0 text-muted-foreground'}
        />
        <span className="min-w-0">
          <span className="block font-medium">
            {title}
            {isDone && <span className="sr-only"> (done)</span>}
          </span>{' '}
          <span className="block text-muted-foreground">{text}</span>
        </span>
      </Link>
    </li>
  )
}
