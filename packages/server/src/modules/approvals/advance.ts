import { sql } from 'kysely'
import { findAnswers } from './answer-store.ts'
import { noteAsked } from './ask.ts'
import { handOver, type HandOverDeps } from './hand-over.ts'
import { invite, type InviteDeps } from './invite.ts'
import { dropMails } from './mail-store.ts'
import type { Approval } from './model.ts'
import { lateness, outputOf } from './output.ts'
import { nextDueAt, type Plan, planOf } from './plan.ts'
import { type Executor, findApproval, writeEnd, writeSteps } from './store.ts'

export interface AdvanceDeps extends InviteDeps, HandOverDeps {
  readonly now: () => number
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void
}

const endsAtATime = 500
const retryMs = 60_000

/** Closes approvals whose waits are over: those that nobody has decided were abandoned. @returns whether there may be more. */
export async function closeEnded({ db, now }: Pick<AdvanceDeps, 'db' | 'now'>): Promise<boolean> {
  const { rows } = await sql<{ id: string | null }>`
    with gone as (
      delete from approval_ends where id in (select id from approval_ends order by id limit ${endsAtATime} for update skip locked)
      returning execution_id, position
    ), closed as (
      update approvals a set state = case a.state when 'open' then 'closed' else a.state end, ended_at = coalesce(a.ended_at, ${new Date(now())}), due_at = null
      from gone g where a.execution_id = g.execution_id and a.position = g.position
      returning a.id, a.execution_id, a.position
    )
    select c.id from gone g left join closed c on c.execution_id = g.execution_id and c.position = g.position`.execute(db)
  await dropMails(
    db,
    rows.flatMap(({ id }) => id ?? []),
  )
  return rows.length === endsAtATime
}

/**
 * Does what is due for one approval: tells those who are asked, escalates, lets the deadline decide, hands over what was decided. Each step
 * is one transaction with its mails; approvals that another process is at are passed over. @returns whether there was one.
 */
export async function advance(deps: AdvanceDeps): Promise<boolean> {
  const { db, now, warn } = deps
  let taken: string | undefined
  try {
    const decided = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: string; account_id: string }>`
        select id, account_id from approvals where due_at <= ${new Date(now())} order by due_at limit 1 for no key update skip locked`.execute(
        tx,
      )
      const [row] = rows
      if (row === undefined) return undefined
      taken = row.id
      const approval = await findApproval(tx, row.account_id, row.id)
      return approval === undefined ? false : work(tx, approval, deps)
    })
    if (decided === true && taken !== undefined) await handOver(deps, taken)
    return decided !== undefined
  } catch (error) {
    if (taken === undefined) throw error
    warn('an approval could not be looked after', { approvalId: taken, error })
    await sql`update approvals set due_at = ${new Date(now() + retryMs)} where id = ${taken} and due_at is not null`.execute(db)
    return true
  }
}

/** @returns whether there is something to be handed over. */
async function work(tx: Executor, approval: Approval, deps: AdvanceDeps): Promise<boolean> {
  const { accountId, id, state, awaited } = approval
  if (state !== 'open') return true
  const now = new Date(deps.now())
  if (!awaited) {
    await writeEnd(tx, accountId, id, { state: 'closed', at: now, output: undefined, dueAt: undefined })
    await dropMails(tx, [id])
    return false
  }
  const plan = planOf(approval)
  if (plan.deadlineAt !== undefined && plan.deadlineAt <= now) {
    await expire(tx, approval, plan, now)
    return true
  }
  const barred = await noteAsked(tx, approval, now)
  const due = plan.steps.filter(({ at }, number) => number === 0 || at <= now).length
  for (const [number, step] of plan.steps.entries())
    if (number >= approval.steps && number < due) await invite(tx, approval, { step, number, barred, now }, deps)
  await writeSteps(tx, accountId, id, { steps: due, dueAt: nextDueAt(plan, due) })
  return false
}

async function expire(tx: Executor, { accountId, id }: Approval, plan: Plan, at: Date): Promise<void> {
  const { onDeadline, details } = plan
  const answers = (await findAnswers(tx, accountId, [id])).get(id) ?? []
  const decided = { id, approved: onDeadline === 'approve', outcome: 'expired', answers, at, details } as const
  const output = onDeadline === 'fail' ? lateness(plan) : outputOf(decided)
  await writeEnd(tx, accountId, id, { state: 'expired', at, output, dueAt: at })
}
