import { givenRoles } from '@millrace/contract/roles'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useSession } from '#src/session/session.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { LocalOnly } from '#src/ui/local-only.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { SecretOnce } from '#src/ui/secret-once.tsx'
import { Time } from '#src/ui/time.tsx'
import { toast } from '#src/ui/toast.tsx'

/** The invitations that were not accepted yet; nothing without any. */
export function OpenInvitations() {
  const t = m.team
  const queries = useQueryClient()
  const { confirm, sheet } = useSheet()
  const query = useQuery({ queryKey: ['invitations'], queryFn: () => api.invitations.list({ query: { limit: 100 } }) })
  const revoke = (id: string, email: string) =>
    confirm(t.revoke, t.revokeText(email), () =>
      api.invitations.revoke({ params: { id } }).then(() => queries.invalidateQueries({ queryKey: ['invitations'] })),
    )
  if (query.isError) return <ProblemPanel error={query.error} retry={() => void query.refetch()} />
  const open = query.data?.data ?? []
  if (open.length === 0) return null
  return (
    <section className="panel acard">
      <h2 className="t14 bb">{t.open}</h2>
      <ul className="mini-l">
        {open.map(({ id, email, role, expiresAt }) => (
          <li key={id}>
            <span className="trunc">
              <bdi>{email}</bdi>
            </span>
            <Badge tone="line">{t.roles[role]}</Badge>
            <span className="t12 i3 phone-hide">
              {t.expires} <Time at={expiresAt} kind="ago" />
            </span>
            <Button size="sm" look="quiet" aria-label={`${t.revoke}: ${email}`} onClick={() => revoke(id, email)}>
              {t.revoke}
            </Button>
          </li>
        ))}
      </ul>
      {sheet}
    </section>
  )
}

/** Invites a person; where no mail is sent, it shows the link to pass on. */
export function InviteForm({ done }: { readonly done: () => void }) {
  const t = m.team
  const queries = useQueryClient()
  const account = useSession(({ me }) => me?.account.name ?? '')
  const [link, setLink] = useState<string>()
  if (link !== undefined) return <SecretOnce secret={link} text={t.passOn} note={<LocalOnly url={link} />} onDone={done} />
  const first: { readonly email: string; readonly role: (typeof givenRoles)[number] } = { email: '', role: 'member' }
  return (
    <>
      <p className="t13 i2">
        {t.namesAccount(account)} <Link to="/settings/account">{t.renameAccount}</Link>
      </p>
      <DataForm
        initial={first}
        fields={({ role }) => [
          { name: 'email', label: m.session.email, kind: 'email', required: true, autoFocus: true },
          {
            name: 'role',
            label: t.role,
            kind: 'select',
            options: givenRoles.map((one) => [one, t.roles[one]] as const),
            hint: t.roleHints[role],
          },
        ]}
        send={async (body) => {
          const { token, email } = await api.invitations.create({ body })
          await queries.invalidateQueries({ queryKey: ['invitations'] })
          if (token !== null) return setLink(`${location.origin}/mail/invitation#token=${token}`)
          toast(t.mailed(email))
          done()
        }}
        label={t.invite}
      />
    </>
  )
}
