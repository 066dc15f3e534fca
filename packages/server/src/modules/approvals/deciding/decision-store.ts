import type { Json } from '@millrace/engine'
import { sql } from 'kysely'
import type { Executor } from '#modules/approvals/approval-store.ts'
import type { Choice, Decision } from '#modules/approvals/model.ts'

interface DecisionRow {
  readonly approval_id: string
  readonly person: string
  readonly email: string
  readonly name: string | null
  readonly user_id: string | null
  readonly asked_as: string
  readonly decision: Choice
  readonly reason: string | null
  readonly data: string | null
  readonly via: 'api' | 'link'
  readonly mail_id: string | null
  readonly answered_at: Date
}

/** Finds the decisions on approvals by the approvals' ids, oldest first. */
export async function findDecisions(
  tx: Executor,
  accountId: string,
  approvalIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Decision[]>> {
  if (approvalIds.length === 0) return new Map()
  const { rows } = await sql<DecisionRow>`
    select approval_id, person, email, name, user_id, asked_as, decision, reason, data, via, mail_id, answered_at
    from approval_answers where account_id = ${accountId} and approval_id = any(${approvalIds}::uuid[]) order by answered_at, id`.execute(
    tx,
  )
  const grouped = Map.groupBy(rows, (row) => row.approval_id)
  return new Map([...grouped].map(([id, ofApproval]) => [id, ofApproval.map(decisionOf)]))
}

export async function insertDecision(
  tx: Executor,
  accountId: string,
  { id, approvalId, decision }: { readonly id: string; readonly approvalId: string; readonly decision: Decision },
): Promise<void> {
  const { person, approverKey, choice, reason, data, via, mailId, at } = decision
  await sql`
    insert into approval_answers (id, account_id, approval_id, person, email, name, user_id, asked_as, decision, reason, data, via, mail_id, answered_at)
    values (${id}, ${accountId}, ${approvalId}, ${person.key}, ${person.email}, ${person.name ?? null}, ${person.userId ?? null}, ${approverKey},
      ${choice}, ${reason ?? null}, ${data === undefined ? null : JSON.stringify(data)}, ${via}, ${mailId ?? null}, ${at})`.execute(tx)
}

function decisionOf(row: DecisionRow): Decision {
  return {
    person: { key: row.person, userId: row.user_id ?? undefined, email: row.email, name: row.name ?? undefined, role: undefined },
    approverKey: row.asked_as,
    choice: row.decision,
    reason: row.reason ?? undefined,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A column of the type json contains valid JSON.
    data: row.data === null ? undefined : (JSON.parse(row.data) as Json),
    via: row.via,
    mailId: row.mail_id ?? undefined,
    at: row.answered_at,
  }
}
