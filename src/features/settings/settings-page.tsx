import type { UserPublic } from '@/client/types.gen'
import { usePreload } from '@/components/on-demand'
import { PageHeader } from '@/components/page-header'
import { Tabs } from '@/components/ui/tabs'
import { Appearance } from './appearance'
import { DangerZone } from './danger-zone'
import { passwordForm, PasswordTab } from './password-tab'
import { ProfileForm } from './profile-form'
import type { SettingsTab } from './settings-tab'

interface SettingsPageProps {
  user: UserPublic
  tab: SettingsTab
  onTabChange: (tab: SettingsTab) => void
  onDeleted: () => void
}

const parts = [passwordForm]

export function SettingsPage({ user, tab, onTabChange, onDeleted }: SettingsPageProps) {
  usePreload(parts)
  const tabs = [
    { value: 'general', label: 'General', content: <ProfileForm user={user} /> },
    { value: 'password', label: 'Password', content: <PasswordTab isShown={tab === 'password'} /> },
    { value: 'appearance', label: 'Appearance', content: <Appearance /> },
    { value: 'dangerzone', label: 'Danger Zone', content: <DangerZone onDeleted={onDeleted} /> },
  ] as const
  // A superuser cannot delete the own account: nobody might be left to administer the others (SPEC 6).
  const offered = tabs.filter(({ value }) => value !== 'dangerzone' || !user.is_superuser)
  return (
    <>
      <PageHeader title="Settings" description="Update your account settings." />
      <div className="mt-6">
        <Tabs
          label="Settings"
          value={offered.some(({ value }) => value === tab) ? tab : 'general'}
          onValueChange={onTabChange}
          tabs={offered}
        />
      </div>
    </>
  )
}
