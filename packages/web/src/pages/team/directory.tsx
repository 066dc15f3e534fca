import type { groups, Reply } from '@millrace/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { roleFields, rolesOf, rolesText } from '#src/pages/team/provisioning.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { CopyButton } from '#src/ui/id.tsx'
import { SecretOnce } from '#src/ui/secret-once.tsx'
import { Time } from '#src/ui/time.tsx'

type Settings = Reply<(typeof groups)['scim']['get']>

/** The directory that creates and deactivates the people of the account by SCIM. */
export function Directory() {
  const s = m.signInWays
  const queries = useQueryClient()
  const { open, confirm, sheet } = useSheet()
  const query = useQuery({ queryKey: ['scim'], queryFn: () => api.scim.get() })
  const changed = () => queries.invalidateQueries({ queryKey: ['scim'] })
  const edit = (settings: Settings) =>
    open(s.directory, (close) => <SettingsForm settings={settings} done={() => void changed().then(close)} />)
  const issue = () =>
    confirm(s.directoryToken, s.directoryTokenText, async () => {
      const { token } = await api.scim.issueToken()
      await changed()
      setTimeout(() => open(s.directoryToken, (close) => <SecretOnce secret={token} text={s.directorySecret} onDone={close} />))
    })
  const turnOff = () => confirm(s.directoryOff, s.directoryOffText, () => api.scim.delete().then(changed))
  return (
    <section className="band">
      <Loaded query={query}>
        {(settings) => (
          <>
            <div className="row">
              <h2 className="t20 grow">{s.directory}</h2>
              <Badge tone={settings.enabled ? 'ok' : 'off'}>{settings.enabled ? m.security.on : m.security.off}</Badge>
              <Button onClick={() => edit(settings)}>{settings.enabled ? m.common.edit : s.set}</Button>
            </div>
            <p className="t13 i2">{s.directoryText}</p>
            {settings.enabled && (
              <>
                <p className="t13 row">
                  <span className="wrap-any">
                    {s.directoryUrl} <bdi className="mono">{settings.baseUrl}</bdi>
                  </span>
                  <CopyButton text={settings.baseUrl} />
                </p>
                <p className="t13 i2">
                  {settings.tokenCreatedAt === null ? s.directoryNoToken : s.directoryUsed}{' '}
                  {settings.tokenCreatedAt === null ? null : settings.tokenUsedAt === null ? (
                    s.directoryNever
                  ) : (
                    <Time at={settings.tokenUsedAt} />
                  )}
                </p>
                <div className="row">
                  <Button onClick={issue}>{s.directoryToken}</Button>
                  <Button look="quiet" onClick={turnOff}>
                    {s.directoryOff}
                  </Button>
                </div>
              </>
            )}
          </>
        )}
      </Loaded>
      {sheet}
    </section>
  )
}

function SettingsForm({ settings: { defaultRole, roles }, done }: { readonly settings: Settings; readonly done: () => void }) {
  return (
    <DataForm
      initial={{ defaultRole, roles: rolesText(roles) }}
      fields={roleFields()}
      send={async ({ defaultRole: role, roles: text }) => {
        await api.scim.put({ body: { defaultRole: role, roles: rolesOf(text) } })
        done()
      }}
      label={m.common.save}
    />
  )
}
