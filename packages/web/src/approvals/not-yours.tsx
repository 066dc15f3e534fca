import { ClientError } from '@millrace/client'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import type { Approval } from '#src/approvals/approval.ts'
import { useApproverNames } from '#src/approvals/approver-names.ts'
import { candidates, firstReplaced } from '#src/approvals/candidates.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { FieldProblems } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { useAccountUsers } from '#src/patterns/use-people.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useSession } from '#src/session/session.ts'
import { useIsAdmin } from '#src/session/use-is-admin.ts'
import { Button } from '#src/ui/button.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { toast } from '#src/ui/toast.tsx'

/** In place of the buttons for one who cannot decide an approval: administrators let another person decide. */
export function NotYours({ approval }: { readonly approval: Approval }) {
  const isAdmin = useIsAdmin()
  const { open, sheet } = useSheet()
  return (
    <>
      <p className="t13 i2">{m.approvals.notYours}</p>
      {isAdmin && (
        <div className="row">
          <Button onClick={() => open(m.approvals.reassign, (close) => <ReassignForm approval={approval} done={close} />)}>
            {m.approvals.reassign}
          </Button>
        </div>
      )}
      {sheet}
    </>
  )
}

function ReassignForm({ approval, done }: { readonly approval: Approval; readonly done: () => void }) {
  const queries = useQueryClient()
  const people = useAccountUsers()
  const namesOf = useApproverNames()
  const me = useSession(({ me: known }) => known?.id)
  const a = m.approvals
  if (people === undefined) return <Skeleton rows={2} />
  const offered = (from: string) => candidates(people, approval, from, me)
  return (
    <DataForm
      initial={{ from: firstReplaced(people, approval.approvers), to: '' }}
      derive={(values) => (offered(values.from).some(({ id }) => id === values.to) ? values : { ...values, to: '' })}
      fields={({ from }) => [
        {
          name: 'from',
          label: a.reassignFrom,
          kind: 'select',
          options: [['', a.reassignLost], ...approval.approvers.map((one) => [one, namesOf([one]).join()] as const)],
        },
        {
          name: 'to',
          label: a.reassignTo,
          kind: 'select',
          required: true,
          options: [['', ''], ...offered(from).map(({ id, name, email }) => [id, name ?? email] as const)],
        },
      ]}
      send={async ({ from, to }) => {
        const params = { executionId: approval.executionId, approvalId: approval.id }
        try {
          await api.approvals.reassign({ params, body: { to, ...(from === '' ? {} : { from }) } })
        } catch (error) {
          if (from === '' && error instanceof ClientError && error.code === 'conflict')
            throw new FieldProblems({ from: a.reassignNoneLost })
          throw error
        }
        toast(m.common.saved)
        done()
        await queries.invalidateQueries({ predicate: ({ queryKey }) => /^(?:approvals|run)/.test(String(queryKey[0])) })
      }}
      label={a.reassign}
    />
  )
}
