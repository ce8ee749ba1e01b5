import { getRouteApi, Navigate } from '@tanstack/react-router'
import { PageHeader } from '@/components/page-header'
import { Tabs } from '@/components/ui/tabs'
import { useOffered } from '@/data/api/capabilities'
import { useCurrentUser } from '@/data/api/current-user'
import { Appearance } from './appearance'
import { DangerZone } from './danger-zone'
import { PasswordForm } from './password-form'
import { ProfileForm } from './profile-form'

const route = getRouteApi('/_layout/settings')

const tabs = [
  { value: 'general', label: 'General', content: <ProfileForm /> },
  { value: 'password', label: 'Password', content: <PasswordForm />, needs: 'passwords' },
  { value: 'appearance', label: 'Appearance', content: <Appearance /> },
  { value: 'dangerzone', label: 'Danger Zone', content: <DangerZone /> },
] as const

export function SettingsPage() {
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const { is_superuser } = useCurrentUser()
  const offered = useOffered(tabs).filter(({ value }) => value !== 'dangerzone' || !is_superuser)
  const shown = offered.find(({ value }) => value === tab)?.value ?? 'general'
  return (
    <>
      {tab !== undefined && tab !== shown && (
        <Navigate to="/settings" search={{ tab: 'general' }} replace resetScroll={false} />
      )}
      <PageHeader title="Settings" description="Update your account settings." />
      <div className="mt-6">
        <Tabs
          label="Settings"
          value={shown}
          onValueChange={(next) => void navigate({ search: { tab: next }, replace: true, resetScroll: false })}
          tabs={offered}
        />
      </div>
    </>
  )
}
