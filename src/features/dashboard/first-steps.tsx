import { useTheme } from 'next-themes'
import type { Overview } from '@/client/types.gen'
import { Panel } from '@/components/panel'
import { useCurrentUser } from '@/data/api/current-user'
import { FirstItem } from './items/overview-items'
import { Step } from './step'

export function FirstSteps({ overview, hasInvited }: { overview: Overview; hasInvited: boolean }) {
  const { setup } = overview
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
      <FirstItem {...overview} />
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
