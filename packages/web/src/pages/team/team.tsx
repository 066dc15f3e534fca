import type { groups, Reply } from '@millrace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { InviteForm, OpenInvitations } from '#src/pages/team/invitations.tsx'
import { RemoveForm } from '#src/pages/team/remove-form.tsx'
import { RoleForm } from '#src/pages/team/role-form.tsx'
import { type Column, ListPage } from '#src/patterns/list-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useSession } from '#src/session/session.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { CellLabel } from '#src/ui/cell-label.tsx'
import { Menu, type MenuItem } from '#src/ui/menu.tsx'
import { Person } from '#src/ui/person.tsx'
import { Time } from '#src/ui/time.tsx'

type User = Reply<(typeof groups)['accountUsers']['list']>['data'][number]

/** The people of the account: roles, removal, ownership, invitations. */
export function Page() {
  const t = m.team
  const me = useSession((session) => session.me)
  const queries = useQueryClient()
  const { open, confirm, sheet } = useSheet()
  const isAdmin = me?.role === 'admin' || me?.role === 'owner'
  const changed = () => queries.invalidateQueries({ queryKey: ['team'] })
  const itemsOf = (user: User): readonly MenuItem[] => {
    const params = { id: user.id }
    const role = () =>
      open(t.changeRole, (close) => <RoleForm user={user} isOwner={me?.role === 'owner'} done={() => changed().then(close)} />)
    const transfer = () =>
      confirm(t.transfer, t.transferText(nameOf(user)), () => api.accountUsers.transferOwnership({ params }).then(() => location.reload()))
    const signOut = () => confirm(t.signOut, t.signOutText(nameOf(user)), () => api.accountUsers.signOut({ params }).then(changed))
    const remove = () => open(t.remove, (close) => <RemoveForm user={user} done={() => changed().then(close)} />)
    return [
      { label: t.changeRole, icon: 'key', act: role },
      ...(me?.role === 'owner' && user.role !== 'owner' ? [{ label: t.transfer, icon: 'hand', act: transfer }] : []),
      { label: t.signOut, icon: 'lock', act: signOut },
      { label: t.remove, icon: 'x', danger: true, act: remove },
    ]
  }
  const mayChange = (user: User) => isAdmin && user.id !== me.id && (user.role !== 'owner' || me.role === 'owner')
  return (
    <>
      <ListPage
        title={t.title}
        lede={t.lede}
        name="team"
        load={(query) => api.accountUsers.list({ query })}
        id={({ id }) => id}
        above={isAdmin ? <OpenInvitations /> : null}
        actions={
          isAdmin ? (
            <Button look="primary" icon="plus" onClick={() => open(t.invite, (close) => <InviteForm done={close} />)}>
              {t.invite}
            </Button>
          ) : undefined
        }
        columns={[
          ...columns(me?.id),
          {
            head: m.common.actions,
            end: true,
            phone: 'end',
            cell: (user) => (mayChange(user) ? <Menu label={`${m.common.actions}: ${nameOf(user)}`} items={itemsOf(user)} /> : null),
          },
        ]}
        empty={{ title: t.title, text: t.lede }}
      />
      {sheet}
    </>
  )
}

const nameOf = ({ name, email }: User) => name ?? email

function columns(ownId: string | undefined): readonly Column<User>[] {
  const t = m.team
  return [
    {
      head: t.person,
      phone: 'main',
      cell: (user) => (
        <span className="row">
          <Person name={nameOf(user)} />
          <span className="b trunc">{nameOf(user)}</span>
          {user.id === ownId && <Badge tone="race">{t.you}</Badge>}
        </span>
      ),
    },
    { head: m.session.email, phone: 'below', cell: ({ email }) => <bdi className="i2">{email}</bdi> },
    { head: t.role, phone: 'side', cell: ({ role }) => <Badge tone={role === 'owner' ? 'seal' : 'line'}>{t.roles[role]}</Badge> },
    {
      head: t.secondFactor,
      phone: 'foot',
      cut: false,
      cell: ({ secondFactor }) => (
        <>
          <CellLabel text={t.secondFactor} />
          <span className={secondFactor ? 'c-ok' : 'i3'}>{secondFactor ? m.security.on : m.security.off}</span>
        </>
      ),
    },
    {
      head: t.since,
      phone: 'below-side',
      cell: ({ createdAt }) => (
        <span className="i2">
          <CellLabel text={t.since} />
          <Time at={createdAt} kind="ago" />
        </span>
      ),
    },
  ]
}
