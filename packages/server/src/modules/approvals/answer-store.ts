import type { Json } from '@millrace/engine'
import { sql } from 'kysely'
import type { Answer, Decision } from './model.ts'
import type { Executor } from './store.ts'

interface AnswerRow {
  readonly approval_id: string
  readonly person: string
  readonly email: string
  readonly name: string | null
  readonly user_id: string | null
  readonly asked_as: string
  readonly decision: Decision
  readonly reason: string | null
  readonly data: string | null
  readonly via: 'api' | 'link'
  readonly mail_id: string | null
  readonly answered_at: Date
}

/** The answers to approvals by their ids, in the order in which they came. */
export async function findAnswers(
  tx: Executor,
  accountId: string,
  approvalIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Answer[]>> {
  if (approvalIds.length === 0) return new Map()
  const { rows } = await sql<AnswerRow>`
    select approval_id, person, email, name, user_id, asked_as, decision, reason, data, via, mail_id, answered_at
    from approval_answers where account_id = ${accountId} and approval_id = any(${approvalIds}::uuid[]) order by answered_at, id`.execute(
    tx,
  )
  const grouped = Map.groupBy(rows, (row) => row.approval_id)
  return new Map([...grouped].map(([id, all]) => [id, all.map(answerOf)]))
}

export async function insertAnswer(
  tx: Executor,
  accountId: string,
  { id, approvalId, answer }: { readonly id: string; readonly approvalId: string; readonly answer: Answer },
): Promise<void> {
  const { person, askedAs, decision, reason, data, via, mailId, at } = answer
  await sql`
    insert into approval_answers (id, account_id, approval_id, person, email, name, user_id, asked_as, decision, reason, data, via, mail_id, answered_at)
    values (${id}, ${accountId}, ${approvalId}, ${person.key}, ${person.email}, ${person.name ?? null}, ${person.userId ?? null}, ${askedAs},
      ${decision}, ${reason ?? null}, ${data === undefined ? null : JSON.stringify(data)}, ${via}, ${mailId ?? null}, ${at})`.execute(tx)
}

function answerOf(row: AnswerRow): Answer {
  return {
    person: { key: row.person, userId: row.user_id ?? undefined, email: row.email, name: row.name ?? undefined, role: undefined },
    askedAs: row.asked_as,
    decision: row.decision,
    reason: row.reason ?? undefined,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A column of the type json holds nothing else.
    data: row.data === null ? undefined : (JSON.parse(row.data) as Json),
    via: row.via,
    mailId: row.mail_id ?? undefined,
    at: row.answered_at,
  }
}
