import { isDeciding } from '@millrace/contract/roles'
import type { groups, Reply } from '@millrace/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { useAccountUsers } from '#src/patterns/use-people.ts'
import { UsedBy } from '#src/patterns/used-by.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { toast } from '#src/ui/toast.tsx'

type User = Reply<(typeof groups)['accountUsers']['list']>['data'][number]

/** Removes a person, and lets another one decide the approvals that wait for this person alone. */
export function RemoveForm({ user, done }: { readonly user: User; readonly done: () => Promise<unknown> }) {
  const t = m.team
  const queries = useQueryClient()
  const name = user.name ?? user.email
  const waiting = useQuery({
    queryKey: ['approvals', { onlyBy: user.id }],
    queryFn: () => api.approvals.list({ query: { onlyBy: user.id, limit: 100 } }),
  })
  const people = useAccountUsers()
  if (waiting.isError) return <ProblemPanel error={waiting.error} />
  if (waiting.data === undefined || people === undefined) return <Skeleton rows={2} />
  const asked = waiting.data.data
  const others = people.filter(({ id, role }) => id !== user.id && isDeciding(role))
  return (
    <>
      <p className="i2">{t.removeText(name)}</p>
      <UsedBy kind="approver" name={`${user.id},${user.email}`} words={{ title: (count) => t.approverIn(name, count) }} />
      {asked.length > 0 && <p className="b">{t.decidesAlone(name, asked.length)}</p>}
      <DataForm
        danger
        initial={{ to: '' }}
        fields={
          asked.length === 0
            ? []
            : [
                {
                  name: 'to',
                  label: t.decidesNext,
                  kind: 'select',
                  options: [['', t.decidesLater], ...others.map((one) => [one.id, one.name ?? one.email] as const)],
                },
              ]
        }
        send={async ({ to }) => {
          await api.accountUsers.delete({ params: { id: user.id }, query: to === '' ? {} : { reassignTo: to } })
          toast(t.removed(name))
          await queries.invalidateQueries({ predicate: ({ queryKey }) => /^(?:approvals|users)/.test(String(queryKey[0])) })
          await done()
        }}
        label={t.remove}
      />
    </>
  )
}
