import type { LinkProps } from '@tanstack/react-router'
import { Circle, CircleCheckBig } from 'lucide-react'
import { useTheme } from 'next-themes'
import type { Overview } from '@/client/types.gen'
import { Link } from '@/components/link'
import { Panel, panelRow } from '@/components/panel'
import { useCurrentUser } from '@/data/api/current-user'

interface Props {
  hasItems: boolean
  hasInvited: boolean
  setup: Overview['setup']
}

export function FirstSteps({ hasItems, hasInvited, setup }: Props) {
  const { full_name, is_superuser } = useCurrentUser()
  const { theme = 'system' } = useTheme()
  return (
    <Panel title="First steps">
      {setup?.generated_password && (
        <Step
          title="Replace the generated password"
          text="The first start printed it in the server’s log."
          link={{ to: '/settings', search: { tab: 'password' } }}
        />
      )}
      {setup && (
        <Step
          title="Set up mail"
          text="With SMTP_URL on the server. Until then, each mail is a file in its data folder."
          isDone={setup.mail}
        />
      )}
      <Step
        title="Add your first item"
        text="A title, and a description if you like."
        link={{ to: '/items', search: { add: '' } }}
        isDone={hasItems}
      />
      {is_superuser && (
        <Step
          title="Invite a user"
          text="They choose their own password."
          link={{ to: '/users', search: { invite: '' } }}
          isDone={hasInvited}
        />
      )}
      <Step
        title="Add your name"
        text="It is shown in place of your email."
        link={{ to: '/settings' }}
        isDone={!!full_name}
      />
      <Step
        title="Choose a theme"
        text="Light, dark, or as your system has it."
        link={{ to: '/settings', search: { tab: 'appearance' } }}
        isDone={theme !== 'system'}
      />
    </Panel>
  )
}

interface StepProps {
  title: string
  text: string
  link?: LinkProps
  isDone?: boolean
}

function Step({ title, text, link, isDone = false }: StepProps) {
  const Sign = isDone ? CircleCheckBig : Circle
  const content = (
    <>
      <Sign aria-hidden className={isDone ? 'size-5 shrink-0 text-success' : 'size-5 shrink-0 text-muted-foreground'} />
      <span className="min-w-0">
        <span className="block font-medium">
          {title}
          {isDone && <span className="sr-only"> (done)</span>}
        </span>{' '}
        <span className="block text-muted-foreground">{text}</span>
      </span>
    </>
  )
  return (
    <li>
      {link ? (
        <Link {...link} className={panelRow}>
          {content}
        </Link>
      ) : (
        <div className={panelRow}>{content}</div>
      )}
    </li>
  )
}
