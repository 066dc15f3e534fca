import { boot, rememberPreference } from '#src/boot.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { OwnProfile } from '#src/pages/settings/own-profile.tsx'
import { RemoveMe } from '#src/pages/settings/remove-me.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useSession } from '#src/session/session.ts'
import { Button } from '#src/ui/button.tsx'

export function Page() {
  const p = m.profile
  const me = useSession((session) => session.me)
  const { open, sheet } = useSheet()
  if (me === undefined) return null
  const facts = [
    [m.session.name, me.name ?? ''],
    [m.session.email, me.email],
    [p.role, m.team.roles[me.role]],
    [p.account, me.account.name],
  ] as const
  return (
    <Shell title={p.title}>
      <section className="panel acard">
        <dl className="facts">
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <OwnProfile me={me} />
      <section className="section">
        <h2>{p.look}</h2>
        <DataForm
          initial={{ theme: document.documentElement.dataset['theme'] ?? '', locale: boot.locale }}
          fields={[
            {
              name: 'theme',
              label: m.frame.theme,
              kind: 'select',
              options: [
                ['', p.system],
                ['light', p.light],
                ['dark', p.dark],
              ],
            },
            {
              name: 'locale',
              label: p.language,
              kind: 'select',
              options: [
                ['en', 'English'],
                ['ar', 'العربية'],
              ],
            },
          ]}
          send={({ theme, locale }) => {
            rememberPreference('theme', theme)
            rememberPreference('locale', locale)
            location.reload()
            return Promise.resolve()
          }}
          label={m.common.save}
        />
      </section>
      <section className="section">
        <h2>{p.remove}</h2>
        <p className="i2">{p.removeText}</p>
        <Button look="danger" onClick={() => open(p.remove, () => <RemoveMe me={me} />)}>
          {p.remove}
        </Button>
      </section>
      {sheet}
    </Shell>
  )
}
