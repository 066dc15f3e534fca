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
  const edit = (settings: Settings) => open(s.directory, (close) => <SettingsForm settings={settings} done={() => changed().then(close)} />)
  const issue = () =>
    confirm(s.directoryToken, s.directoryTokenText, async () => {
      const { token } = await api.scim.issueToken()
      await changed()
      setTimeout(() => open(s.directoryToken, (close) => <SecretOnce secret={token} text={s.directorySecret} onDone={close} />))
    })
  const turnOff = () => confirm(s.directoryOff, s.directoryOffText, () => api.scim.delete().then(changed))
  return (
    <section className="panel acard">
      <Loaded query={query}>
        {(settings) => (
          <>
            <div className="row">
              <h2 className="t16 bb">{s.directory}</h2>
              <Badge tone={settings.enabled ? 'ok' : 'off'}>{settings.enabled ? m.security.on : m.security.off}</Badge>
              <span className="sp" />
              <Button onClick={() => edit(settings)}>{settings.enabled ? m.common.edit : s.set}</Button>
            </div>
            <p className="t13 i2">{s.directoryText}</p>
            {settings.enabled && (
              <>
                <dl className="facts">
                  <div>
                    <dt>{s.directoryUrl}</dt>
                    <dd className="row">
                      <bdi className="mono wrap-any">{settings.baseUrl}</bdi>
                      <CopyButton text={settings.baseUrl} />
                    </dd>
                  </div>
                  <div>
                    <dt>{s.defaultRole}</dt>
                    <dd>{m.team.roles[settings.defaultRole]}</dd>
                  </div>
                  <div>
                    <dt>{s.directoryUsed}</dt>
                    <dd>
                      {settings.tokenCreatedAt === null ? (
                        <span className="c-wait">{s.directoryNoToken}</span>
                      ) : settings.tokenUsedAt === null ? (
                        s.directoryNever
                      ) : (
                        <Time at={settings.tokenUsedAt} kind="ago" />
                      )}
                    </dd>
                  </div>
                </dl>
                {Object.keys(settings.roles).length > 0 && (
                  <ul className="mini-l" aria-label={s.roles}>
                    {Object.entries(settings.roles).map(([group, role]) => (
                      <li key={group}>
                        <bdi className="mono">{group}</bdi>
                        <Badge tone="line">{m.team.roles[role]}</Badge>
                      </li>
                    ))}
                  </ul>
                )}
                <div className="row">
                  <Button look={settings.tokenCreatedAt === null ? 'primary' : 'plain'} onClick={issue}>
                    {s.directoryToken}
                  </Button>
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

function SettingsForm({ settings: { defaultRole, roles }, done }: { readonly settings: Settings; readonly done: () => Promise<unknown> }) {
  return (
    <DataForm
      initial={{ defaultRole, roles: rolesText(roles) }}
      fields={roleFields()}
      send={async ({ defaultRole: role, roles: text }) => {
        await api.scim.put({ body: { defaultRole: role, roles: rolesOf(text) } })
        await done()
      }}
      label={m.common.save}
    />
  )
}
