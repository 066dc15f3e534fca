import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { api } from '#src/api/client.ts'
import type { Approval } from '#src/approvals/approval.ts'
import { Answers } from '#src/approvals/approval-answers.tsx'
import { endWords } from '#src/approvals/approval-end.ts'
import { Details } from '#src/approvals/details.tsx'
import { reasonFault, reasonField } from '#src/approvals/reason-field.ts'
import { settling, useSettled } from '#src/approvals/use-settled.ts'
import { Field } from '#src/forms/field.tsx'
import { fieldsOfSchema, readFields, shownOf } from '#src/forms/schema-fields.ts'
import { m } from '#src/messages/messages.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { StateIcon } from '#src/ui/icon.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Time } from '#src/ui/time.tsx'
import { toast } from '#src/ui/toast.tsx'

const NotYours = onDemand(() => import('#src/approvals/not-yours.tsx').then((module) => module.NotYours))

type Decision = 'approve' | 'reject'

const iconOf = { open: 'waiting', approved: 'completed', rejected: 'faulted', expired: 'skipped', closed: 'skipped' } as const

/** A question to people: what to decide by, a form if it has one, and the decision. */
export function ApprovalCard({ approval, onDecided }: { readonly approval: Approval; readonly onDecided?: () => void }) {
  const queries = useQueryClient()
  const end = endWords(approval)
  const fields = fieldsOfSchema(approval.form)
  const [values, setValues] = useState(() => shownOf(fields, {}))
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState<Decision>()
  const [problem, setProblem] = useState<unknown>()
  const card = useRef<HTMLElement>(null)
  const decided = useRef(false)
  useEffect(() => () => void (decided.current && focusLater(card)), [])
  useEffect(() => card.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [problems])
  // The press that decided a card is not to decide the one that takes its place.
  const foot = useRef<HTMLDivElement>(null)
  const settled = useSettled(foot)
  const decide = (decision: Decision) => {
    if (!settled || busy !== undefined) return
    const asked = decision === 'approve' && fields.length > 0 ? readFields(fields, values) : undefined
    setProblems(asked?.problems ?? {})
    if (asked !== undefined && Object.keys(asked.problems).length > 0) return
    setBusy(decision)
    setProblem(undefined)
    const data = asked === undefined ? {} : { data: asked.value }
    api.approvals
      .answer({
        params: { executionId: approval.executionId, approvalId: approval.id },
        body: { decision, ...(reason.trim() === '' ? {} : { reason: reason.trim() }), ...data },
      })
      .then(async () => {
        decided.current = true
        settling.begin()
        toast(decision === 'approve' ? m.approvals.approved : m.approvals.rejected)
        onDecided?.()
        await queries.invalidateQueries({ predicate: ({ queryKey }) => /^(?:approvals|run)/.test(String(queryKey[0])) })
        focusLater(card)
      })
      .catch((error: unknown) => {
        const fault = reasonFault(error)
        if (fault === undefined) setProblem(error)
        else setProblems({ reason: fault })
      })
      .finally(() => setBusy(undefined))
  }
  return (
    <article ref={card} id={approval.id} className="panel acard" aria-label={approval.title} tabIndex={-1}>
      <header className="row wrap">
        <StateIcon state={iconOf[approval.state]} />
        <h2 className="t16">{approval.title}</h2>
        <span className="sp" />
        {approval.deadlineAt !== null && approval.state === 'open' && (
          <Badge tone="wait">
            {m.approvals.due} <Time at={approval.deadlineAt} kind="ago" />
          </Badge>
        )}
      </header>
      {end !== undefined && (
        <p className="c-wait b" role="status">
          {end}
        </p>
      )}
      {approval.description !== null && <p className="i2 prewrap">{approval.description}</p>}
      {approval.details !== undefined && approval.details !== null && (
        <Details
          details={approval.details}
          files={approval.files ?? []}
          placeOf={({ id }) => ({
            address: `/api/v1/workflows/executions/${approval.executionId}/approvals/${approval.id}/files/${id}`,
            isOpen: false,
          })}
        />
      )}
      <Answers approval={approval} />
      {approval.state === 'open' && approval.mayDecide === false && <NotYours approval={approval} />}
      {approval.state === 'open' && approval.mayDecide !== false && (
        <>
          {fields.map((spec) => (
            <Field
              key={spec.name}
              spec={spec}
              value={values[spec.name]}
              error={problems[spec.name]}
              onChange={(value) => setValues({ ...values, [spec.name]: value })}
            />
          ))}
          <Field
            spec={reasonField(approval.reasonFor)}
            value={reason}
            error={problems['reason']}
            onChange={(value) => setReason(String(value))}
          />
          {problem !== undefined && <ProblemPanel error={problem} />}
          <div className="row wrap" ref={foot}>
            <Button look="primary" busy={busy === 'approve'} aria-disabled={!settled} onClick={() => decide('approve')}>
              {m.approvals.approve}
            </Button>
            <Button busy={busy === 'reject'} aria-disabled={!settled} onClick={() => decide('reject')}>
              {m.approvals.reject}
            </Button>
            {!settled && <span className="t13 i2">{m.approvals.settling}</span>}
          </div>
        </>
      )}
    </article>
  )
}

/** Puts the focus on a decided card, or on the page that it left, if the button that had it has gone. */
function focusLater(card: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) (card.current ?? document.querySelector('main'))?.focus()
  })
}
