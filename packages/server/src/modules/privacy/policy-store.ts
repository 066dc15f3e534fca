import type { PersonalDataKind, privacyPoints } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

/** Where a policy applies to executions. */
export type PolicyPoint = (typeof privacyPoints)[number]

export interface Policy {
  readonly id: string
  /** Undefined: for every workflow without a policy of its own for the point. */
  readonly workflowId: string | undefined
  readonly point: PolicyPoint
  readonly action: 'detect' | 'redact' | 'block'
  /** Empty: all kinds. */
  readonly kinds: readonly PersonalDataKind[]
  readonly minScore: number
  readonly purpose: string
  readonly legalBasis: LegalBasis
  readonly retention: string | undefined
  readonly enabled: boolean
  readonly revision: number
  readonly updatedAt: Date
}

export type LegalBasis = 'consent' | 'contract' | 'legal_obligation' | 'vital_interests' | 'public_task' | 'legitimate_interests'

interface PolicyRow {
  readonly id: string
  readonly workflow_id: string | null
  readonly point: PolicyPoint
  readonly action: Policy['action']
  readonly kinds: PersonalDataKind[]
  readonly min_score: number
  readonly purpose: string
  readonly legal_basis: LegalBasis
  readonly retention: string | null
  readonly enabled: boolean
  readonly revision: number
  readonly updated_at: Date
}

const columns = sql`id, workflow_id, point, action, kinds, min_score, purpose, legal_basis, retention, enabled, revision, updated_at`

export async function listPolicies(tx: Executor, accountId: string, limit: number, before: string | undefined): Promise<readonly Policy[]> {
  const { rows } = await sql<PolicyRow>`
    select ${columns} from privacy_policies where account_id = ${accountId} ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(policyOf)
}

/** The policies that apply to a workflow, at most one for each point: its own, or else that of the account. */
export async function findPoliciesFor(db: Executor, accountId: string, workflowId: string | undefined): Promise<readonly Policy[]> {
  const { rows } = await sql<PolicyRow>`
    select distinct on (point) ${columns} from privacy_policies
    where account_id = ${accountId} and (workflow_id = ${workflowId ?? null}::uuid or workflow_id is null) and enabled
    order by point, workflow_id nulls last`.execute(db)
  return rows.map(policyOf)
}

export async function lockPolicy(
  tx: Executor,
  accountId: string,
  { workflowId, point }: Pick<Policy, 'workflowId' | 'point'>,
): Promise<Policy | undefined> {
  await sql`select pg_advisory_xact_lock(hashtext('millrace privacy policies'), hashtext(${accountId}))`.execute(tx)
  const { rows } = await sql<PolicyRow>`
    select ${columns} from privacy_policies
    where account_id = ${accountId} and workflow_id is not distinct from ${workflowId ?? null}::uuid and point = ${point} for update`.execute(
    tx,
  )
  return rows[0] === undefined ? undefined : policyOf(rows[0])
}

export async function putPolicy(tx: Executor, accountId: string, policy: Omit<Policy, 'revision'>, by: string): Promise<Policy> {
  const { id, workflowId, point, action, kinds, minScore, purpose, legalBasis, retention, enabled, updatedAt } = policy
  const { rows } = await sql<PolicyRow>`
    insert into privacy_policies (id, account_id, workflow_id, point, action, kinds, min_score, purpose, legal_basis, retention, enabled, updated_at, updated_by)
    values (${id}, ${accountId}, ${workflowId ?? null}, ${point}, ${action}, ${[...kinds]}::text[], ${minScore}, ${purpose}, ${legalBasis},
      ${retention ?? null}, ${enabled}, ${updatedAt}, ${by})
    on conflict (account_id, workflow_id, point) do update set action = excluded.action, kinds = excluded.kinds, min_score = excluded.min_score,
      purpose = excluded.purpose, legal_basis = excluded.legal_basis, retention = excluded.retention, enabled = excluded.enabled,
      updated_at = excluded.updated_at, updated_by = excluded.updated_by, revision = privacy_policies.revision + 1
    returning ${columns}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('a policy that was just written does not exist')
  return policyOf(row)
}

function policyOf(row: PolicyRow): Policy {
  const {
    id,
    workflow_id,
    point,
    action,
    kinds,
    min_score: minScore,
    purpose,
    legal_basis: legalBasis,
    retention,
    enabled,
    revision,
    updated_at,
  } = row
  return {
    id,
    workflowId: workflow_id ?? undefined,
    point,
    action,
    kinds,
    minScore,
    purpose,
    legalBasis,
    retention: retention ?? undefined,
    enabled,
    revision,
    updatedAt: updated_at,
  }
}
