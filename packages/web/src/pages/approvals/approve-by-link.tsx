import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { Details } from '#src/approvals/details.tsx'
import { reasonFault, reasonField } from '#src/approvals/reason-field.ts'
import { Field } from '#src/forms/field.tsx'
import { fieldsOfSchema, readFields, shownOf } from '#src/forms/schema-fields.ts'
import { m } from '#src/messages/messages.ts'
import { Outside } from '#src/pages/session/outside.tsx'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Time } from '#src/ui/time.tsx'

type Linked = Reply<(typeof groups)['approvals']['show']>
type Decision = 'approve' | 'reject'

/** The question of an approval, for a person who has its link and no account. */
export function Page() {
  const { token = '' }: { token?: string } = useParams({ strict: false })
  const approval = useQuery({ queryKey: ['link', token], queryFn: () => api.approvals.show({ params: { token } }), retry: false })
  if (approval.isError)
    return (
      <Outside title={m.links.decisionTitle}>
        <ProblemPanel error={approval.error} />
      </Outside>
    )
  if (approval.data === undefined)
    return (
      <Outside title={m.links.decisionTitle}>
        <Skeleton rows={4} />
      </Outside>
    )
  return <Question token={token} approval={approval.data} />
}

function Question({ token, approval }: { readonly token: string; readonly approval: Linked }) {
  const { title, description, deadlineAt, details, answer, state } = approval
  const [decided, setDecided] = useState<Decision>()
  const decision = decided ?? answer?.decision
  const isDone = decision !== undefined
  return (
    <Outside title={title} lede={isDone ? m.links.decided[decision] : state === 'open' ? approval.email : m.links.closed}>
      {deadlineAt !== null && state === 'open' && !isDone && (
        <p className="t13 i2">
          {m.approvals.due} <Time at={deadlineAt} kind="ago" />
        </p>
      )}
      {description !== null && <p className="i2 prewrap">{description}</p>}
      {details !== undefined && details !== null && (
        <Details
          details={details}
          files={approval.files ?? []}
          placeOf={({ id }) => ({ address: `/api/v1/approvals/${token}/files/${id}`, isOpen: true })}
        />
      )}
      {state === 'open' && !isDone && <Form token={token} approval={approval} done={setDecided} />}
    </Outside>
  )
}

function Form({
  token,
  approval,
  done,
}: {
  readonly token: string
  readonly approval: Linked
  readonly done: (decision: Decision) => void
}) {
  const fields = fieldsOfSchema(approval.form)
  const [values, setValues] = useState(() => shownOf(fields, {}))
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState<Decision>()
  const [problem, setProblem] = useState<unknown>()
  const decide = async (decision: Decision) => {
    const asked = decision === 'approve' && fields.length > 0 ? readFields(fields, values) : undefined
    setProblems(asked?.problems ?? {})
    if (asked !== undefined && Object.keys(asked.problems).length > 0) return
    setBusy(decision)
    setProblem(undefined)
    const data = asked === undefined ? {} : { data: asked.value }
    const body = { decision, ...(reason.trim() === '' ? {} : { reason: reason.trim() }), ...data }
    try {
      await api.approvals.answerByLink({ params: { token }, body })
      done(decision)
    } catch (error) {
      const fault = reasonFault(error)
      if (fault === undefined) setProblem(error)
      else setProblems({ reason: fault })
    }
    setBusy(undefined)
  }
  return (
    <div className="form">
      {fields.map((spec) => (
        <Field
          key={spec.name}
          spec={spec}
          value={values[spec.name]}
          error={problems[spec.name]}
          onChange={(value) => setValues({ ...values, [spec.name]: value })}
          large
        />
      ))}
      <Field
        spec={reasonField(approval.reasonFor)}
        value={reason}
        error={problems['reason']}
        onChange={(value) => setReason(String(value))}
        large
      />
      {problem !== undefined && <ProblemPanel error={problem} />}
      <div className="row form-foot">
        <Button look="primary" size="lg" busy={busy === 'approve'} onClick={() => void decide('approve')}>
          {m.approvals.approve}
        </Button>
        <Button size="lg" busy={busy === 'reject'} onClick={() => void decide('reject')}>
          {m.approvals.reject}
        </Button>
      </div>
    </div>
  )
}
