import type { groups, Reply } from '@millrace/contract'
import { givenRoles } from '@millrace/contract/roles'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { toast } from '#src/ui/toast.tsx'

type User = Reply<(typeof groups)['accountUsers']['list']>['data'][number]

const roles = [...givenRoles, 'owner'] as const

interface RoleFormProps {
  readonly user: User
  /** Only an owner can make an owner. */
  readonly isOwner: boolean
  readonly done: () => Promise<unknown>
}

/** Changes what a person may do in the account. */
export function RoleForm({ user, isOwner, done }: RoleFormProps) {
  const t = m.team
  return (
    <DataForm
      initial={{ role: user.role }}
      fields={({ role }) => [
        {
          name: 'role',
          label: t.role,
          kind: 'select',
          options: roles.filter((one) => isOwner || one !== 'owner').map((one) => [one, t.roles[one]] as const),
          hint: t.roleHints[role],
        },
      ]}
      send={async ({ role }) => {
        await api.accountUsers.update({ params: { id: user.id }, body: { role } })
        toast(m.common.saved)
        await done()
      }}
      label={m.common.save}
    />
  )
}
