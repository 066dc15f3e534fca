import { Fault } from '@millrace/contract'
import { sql } from 'kysely'
import type { Executor, Plan, Price } from './model.ts'
import type { Term } from './money/period.ts'

interface PlanRow {
  readonly tier: string
  readonly name: string
  readonly rank: number
  readonly limits: Plan['limits']
  readonly prices: readonly Price[]
  readonly trial_days: number
  readonly is_public: boolean
  readonly revision: number
}

export interface PlanContent {
  readonly name: string
  readonly rank: number
  readonly limits: Plan['limits']
  readonly prices: readonly Price[]
  readonly trialDays: number
  readonly isPublic: boolean
}

const columns = sql`tier, name, rank, limits, prices, trial_days, is_public, revision`

/** Plans by rank. They belong to the installation, so there is no account. */
export async function listPlans(db: Executor): Promise<readonly Plan[]> {
  const { rows } = await sql<PlanRow>`select ${columns} from plans order by rank, tier`.execute(db)
  return rows.map(planOf)
}

export async function findPlan(db: Executor, tier: string): Promise<Plan | undefined> {
  const { rows } = await sql<PlanRow>`select ${columns} from plans where tier = ${tier}`.execute(db)
  return rows[0] === undefined ? undefined : planOf(rows[0])
}

/** Creates a plan, or replaces its content. */
export async function savePlan(db: Executor, tier: string, content: PlanContent, at: Date): Promise<Plan> {
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(tier))
    throw new Fault('not_found', {
      detail: 'The name of a plan has up to 40 lower-case letters, digits and hyphens, and begins with a letter.',
    })
  assertPrices(content.prices)
  const { name, rank, limits, prices, trialDays, isPublic } = content
  const { rows } = await sql<PlanRow>`
    insert into plans (tier, name, rank, limits, prices, trial_days, is_public, updated_at)
    values (${tier}, ${name}, ${rank}, ${JSON.stringify(limits)}, ${JSON.stringify(prices)}, ${trialDays}, ${isPublic}, ${at})
    on conflict (tier) do update set name = excluded.name, rank = excluded.rank, limits = excluded.limits, prices = excluded.prices,
      trial_days = excluded.trial_days, is_public = excluded.is_public, updated_at = excluded.updated_at, revision = plans.revision + 1
    returning ${columns}`.execute(db)
  if (rows[0] === undefined) throw new Error('an upsert returned no row')
  return planOf(rows[0])
}

/** A plan that accounts may choose by themselves. Fault `plan_invalid`. */
export async function publicPlan(db: Executor, tier: string): Promise<Plan> {
  const plan = await findPlan(db, tier)
  if (plan?.isPublic === true) return plan
  const names = (await listPlans(db)).filter(({ isPublic }) => isPublic).map((each) => each.tier)
  const detail =
    plan === undefined
      ? `There is no plan ${tier}. Choose one of ${names.join(', ')}.`
      : `The plan ${tier} is only activated by an operator. Choose one of ${names.join(', ')}, or ask the operator.`
  throw new Fault('plan_invalid', { detail, errors: [{ pointer: '/tier', detail: `Must be one of ${names.join(', ')}.` }] })
}

/** The price of a plan; Fault `plan_invalid` names the prices that it has. */
export function priceOf(plan: Plan, currency: string, term: Term): bigint {
  const price = plan.prices.find((each) => each.currency === currency && each.interval === term)
  if (price !== undefined) return BigInt(price.amount)
  const known = plan.prices.map((each) => `${each.currency} by ${each.interval}`)
  const detail =
    known.length === 0
      ? `The plan ${plan.tier} has no price.`
      : `The plan ${plan.tier} has no price in ${currency} by ${term}. It has ${known.join(', ')}.`
  throw new Fault('plan_invalid', { detail })
}

function assertPrices(prices: readonly Price[]): void {
  const seen = new Set<string>()
  for (const [index, { currency, interval }] of prices.entries()) {
    const key = `${currency} ${interval}`
    if (seen.has(key))
      throw new Fault('request_invalid', { errors: [{ pointer: `/prices/${index}`, detail: 'Repeats a currency and an interval.' }] })
    seen.add(key)
  }
}

function planOf({ trial_days: trialDays, is_public: isPublic, ...rest }: PlanRow): Plan {
  return { ...rest, trialDays, isPublic }
}
