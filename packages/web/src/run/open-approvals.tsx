import type { Approval } from '#src/approvals/approval.ts'
import { endWords } from '#src/approvals/approval-end.ts'
import { onDemand } from '#src/ui/on-demand.tsx'

const ApprovalCard = onDemand(() => import('#src/approvals/approval-card.tsx').then((module) => module.ApprovalCard))

/** The approvals that a run waits for. */
export function OpenApprovals({ approvals }: { readonly approvals: readonly Approval[] }) {
  return approvals.filter(({ state }) => state === 'open').map((approval) => <ApprovalCard key={approval.id} approval={approval} />)
}

/** What followed approvals whose deadline passed. */
export function LapsedApprovals({ approvals }: { readonly approvals: ReadonlyMap<string, Approval> }) {
  return [...approvals.values()].map((approval) => (
    <p key={approval.id} className="notice-strip" role="status">
      <bdi className="b">{approval.title}</bdi> · {endWords(approval)}
    </p>
  ))
}

/** What a step asked people, and what came of it. */
export function EndedApproval({ approvals, position }: { readonly approvals: readonly Approval[]; readonly position: string }) {
  const approval = approvals.find((one) => one.position === position && one.state !== 'open')
  return approval === undefined ? null : (
    <div className="step-approval">
      <ApprovalCard approval={approval} />
    </div>
  )
}
