import { useNavigate } from '@tanstack/react-router'
import { boot, rememberPreference } from '#src/boot.ts'
import { switchTheme } from '#src/app/theme.ts'
import { m } from '#src/messages/messages.ts'
import { useSession } from '#src/session/session.ts'
import { signOut } from '#src/session/sign-out.ts'
import { Menu } from '#src/ui/menu.tsx'
import { Person } from '#src/ui/person.tsx'

/** Who is signed in, and what concerns the person alone. */
export function AccountMenu() {
  const me = useSession((session) => session.me)
  const navigate = useNavigate()
  const name = me?.name ?? me?.email ?? ''
  const other = boot.locale === 'ar' ? 'en' : 'ar'
  return (
    <Menu
      label={m.frame.account}
      face={<Person name={name} large />}
      {...(me !== undefined && { heading: { title: name, detail: me.account.name } })}
      items={[
        { label: m.nav.profile, icon: 'settings', act: () => void navigate({ to: '/settings/profile' }) },
        { label: m.nav.security, icon: 'lock', act: () => void navigate({ to: '/settings/security' }) },
        { label: m.frame.theme, icon: 'theme', act: switchTheme },
        {
          label: m.frame.otherLanguage,
          icon: 'text',
          act: () => {
            rememberPreference('locale', other)
            location.reload()
          },
        },
        { label: m.session.signOut, icon: 'ext', act: () => void signOut() },
      ]}
    />
  )
}
