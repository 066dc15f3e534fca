import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { type Me, useSession } from '#src/session/session.ts'
import { toast } from '#src/ui/toast.tsx'

const zones = Intl.supportedValuesOf('timeZone')

/** The own name and time zone, and the password. */
export function OwnProfile({ me }: { readonly me: Me }) {
  const a = m.account
  return (
    <>
      <section className="section">
        <h2>{a.personal}</h2>
        <DataForm
          initial={{ name: me.name ?? '', zone: me.zone ?? '' }}
          fields={[
            { name: 'name', label: m.session.name, autoComplete: 'name' },
            {
              name: 'zone',
              label: a.zone,
              kind: 'select',
              options: [['', a.ofDevice], ...zones.map((zone) => [zone, zone] as const)],
              hint: a.zoneHint,
            },
          ]}
          send={async ({ name, zone }) => {
            const body = { name: name.trim() === '' ? null : name, zone: zone === '' ? null : zone }
            useSession.setState({ me: await api.auth.updateMe({ body }) })
            toast(m.common.saved)
          }}
          label={m.common.save}
        />
      </section>
      <section className="section">
        <h2>{a.password}</h2>
        <p className="i2">{a.passwordText}</p>
        <DataForm
          initial={{ currentPassword: '', password: '' }}
          fields={[
            { name: 'currentPassword', label: a.currentPassword, kind: 'password', required: true, autoComplete: 'current-password' },
            { name: 'password', label: a.newPassword, kind: 'new-password', required: true, hint: m.session.passwordHint },
          ]}
          send={async (body) => {
            await api.auth.passwordChange({ body })
            toast(a.passwordChanged)
          }}
          label={a.changePassword}
        />
      </section>
    </>
  )
}
