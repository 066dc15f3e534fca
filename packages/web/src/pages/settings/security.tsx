import { useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Identities } from '#src/pages/settings/identities.tsx'
import { Passkeys } from '#src/pages/settings/passkeys.tsx'
import { Phone } from '#src/pages/settings/phone.tsx'
import { SecondFactor } from '#src/pages/settings/second-factor.tsx'
import { ListPage } from '#src/patterns/list-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { signOut } from '#src/session/sign-out.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Time } from '#src/ui/time.tsx'

export function Page() {
  const s = m.security
  const queries = useQueryClient()
  const { confirm, sheet } = useSheet()
  const revoke = (jti: string) =>
    confirm(s.revoke, s.revokeText, () =>
      api.auth.revokeSession({ params: { jti } }).then(() => queries.invalidateQueries({ queryKey: ['sessions'] })),
    )
  return (
    <>
      <ListPage
        title={m.nav.security}
        lede={s.pageLede}
        name="sessions"
        above={
          <>
            <Passkeys />
            <SecondFactor />
            <Phone />
            <Identities />
            <div className="row wrap band">
              <h2 className="t16 bb">{s.title}</h2>
              <span className="i2 t13">{s.lede}</span>
              <span className="sp" />
              <Button
                look="danger"
                size="sm"
                onClick={() => confirm(s.everywhere, s.everywhereText, () => api.auth.logoutAll().then(() => signOut()))}
              >
                {s.everywhere}
              </Button>
            </div>
          </>
        }
        load={(query) => api.auth.sessions({ query })}
        id={({ jti }) => jti}
        columns={[
          {
            head: s.device,
            phone: 'main',
            cell: ({ device, current }) => (
              <span className="row">
                <span className="b trunc">{device ?? s.unknown}</span>
                {current && <Badge tone="race">{s.current}</Badge>}
              </span>
            ),
          },
          { head: s.ip, phone: 'below', cell: ({ ip }) => <bdi className="mono i2">{ip ?? ''}</bdi> },
          {
            head: s.since,
            cell: ({ createdAt }) => (
              <span className="i2">
                <Time at={createdAt} />
              </span>
            ),
          },
          {
            head: s.used,
            phone: 'below-side',
            cell: ({ lastUsedAt }) => (
              <span className="i2">
                <Time at={lastUsedAt} kind="ago" />
              </span>
            ),
          },
          {
            head: m.common.actions,
            end: true,
            phone: 'side',
            cell: ({ jti, current }) =>
              current ? null : (
                <Button size="sm" onClick={() => revoke(jti)}>
                  {s.revoke}
                </Button>
              ),
          },
        ]}
        empty={{ title: s.title, text: s.lede }}
      />
      {sheet}
    </>
  )
}
