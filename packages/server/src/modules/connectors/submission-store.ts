import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type {
  Check,
  CheckedDocument,
  ConnectorDocument,
  ConnectorOperation,
  Licence,
  Proposal,
  Submission,
  SubmissionKind,
  SubmissionState,
} from './model.ts'

type Executor = Kysely<Rows>

interface SubmissionRow {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly title: string
  readonly kind: SubmissionKind
  readonly version: string
  readonly summary: string
  readonly licence: Licence
  readonly homepage: string | null
  readonly hosts: string[]
  readonly operations: string
  readonly operation_count: number
  readonly checksum: string
  readonly checks: string
  readonly state: SubmissionState
  readonly reason: string | null
  readonly revision: number
  readonly created_at: Date
  readonly decided_at: Date | null
}

const columns = sql`id, account_id, name, title, kind, version, summary, licence, homepage, hosts, operations::text as operations, operation_count,
  checksum, checks::text as checks, state, reason, revision, created_at, decided_at`

export const approvedNameIndex = 'connector_submissions_by_name'

/** Counts an account's undecided proposals, one request at a time. */
export async function countPending(tx: Executor, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('connectors/' || ${accountId}, 0))`.execute(tx)
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from connector_submissions where account_id = ${accountId} and state = 'pending'`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function insertSubmission(
  tx: Executor,
  accountId: string,
  { id, proposal, checked }: { readonly id: string; readonly proposal: Proposal; readonly checked: CheckedDocument },
  { at, by }: { readonly at: Date; readonly by: string },
): Promise<void> {
  const { name, kind, summary, licence, homepage } = proposal
  await sql`
    insert into connector_submissions (id, account_id, name, title, kind, version, summary, licence, homepage, hosts, operations, operation_count,
      document, checksum, checks, state, created_at, created_by)
    values (${id}, ${accountId}, ${name}, ${checked.title}, ${kind}, ${checked.version}, ${summary}, ${licence}, ${homepage ?? null},
      ${[...checked.hosts]}, ${JSON.stringify(checked.operations)}, ${checked.operationCount}, ${JSON.stringify(checked.document)},
      ${checked.checksum}, ${JSON.stringify(checked.checks)}, 'pending', ${at}, ${by})`.execute(tx)
}

/** Proposals of an account; of all accounts, with an executor that sees them, without one. */
export async function listSubmissions(
  executor: Executor,
  accountId: string | undefined,
  { state, before, limit }: { readonly state: SubmissionState | undefined; readonly before: string | undefined; readonly limit: number },
): Promise<readonly Submission[]> {
  const { rows } = await sql<SubmissionRow>`
    select ${columns} from connector_submissions where true ${accountId === undefined ? sql`` : sql`and account_id = ${accountId}`}
      ${state === undefined ? sql`` : sql`and state = ${state}`} ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(executor)
  return rows.map(submissionOf)
}

/** Approved connectors of all accounts. */
export async function listApproved(
  db: Executor,
  { text, before, limit }: { readonly text: string | undefined; readonly before: string | undefined; readonly limit: number },
): Promise<readonly Submission[]> {
  const matches = text === undefined ? sql`` : sql`and position(lower(${text}) in lower(name || ' ' || title || ' ' || summary)) > 0`
  const { rows } = await sql<SubmissionRow>`
    select ${columns} from connector_submissions where state = 'approved' ${matches} ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(db)
  return rows.map(submissionOf)
}

/** A proposal of any account, locked until the transaction ends. */
export async function lockSubmission(tx: Executor, id: string): Promise<Submission | undefined> {
  const { rows } = await sql<SubmissionRow>`select ${columns} from connector_submissions where id = ${id} for no key update`.execute(tx)
  return rows[0] === undefined ? undefined : submissionOf(rows[0])
}

export async function findSubmission(executor: Executor, id: string): Promise<Submission | undefined> {
  const { rows } = await sql<SubmissionRow>`select ${columns} from connector_submissions where id = ${id}`.execute(executor)
  return rows[0] === undefined ? undefined : submissionOf(rows[0])
}

/** The document of an approved connector. */
export async function findDocument(db: Executor, id: string): Promise<ConnectorDocument | undefined> {
  const { rows } = await sql<{ readonly document: string }>`
    select document::text as document from connector_submissions where id = ${id} and state = 'approved'`.execute(db)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The column contains only objects, written above.
  return rows[0] === undefined ? undefined : (JSON.parse(rows[0].document) as ConnectorDocument)
}

/** The approved connector of a name, with its document. */
export async function findApprovedByName(
  db: Executor,
  name: string,
): Promise<(Submission & { readonly document: ConnectorDocument }) | undefined> {
  const { rows } = await sql<SubmissionRow & { readonly document: string }>`
    select ${columns}, document::text as document from connector_submissions where name = ${name} and state = 'approved'`.execute(db)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The column contains only objects, written above.
  return rows[0] === undefined ? undefined : { ...submissionOf(rows[0]), document: JSON.parse(rows[0].document) as ConnectorDocument }
}

/** Names of approved connectors, newest first. */
export async function listApprovedNames(db: Executor, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly name: string }>`
    select name from connector_submissions where state = 'approved' order by id desc limit ${limit}`.execute(db)
  return rows.map(({ name }) => name)
}

export async function updateState(
  tx: Executor,
  id: string,
  { state, reason }: { readonly state: SubmissionState; readonly reason: string | undefined },
  { at, by }: { readonly at: Date; readonly by: string },
): Promise<void> {
  await sql`
    update connector_submissions set state = ${state}, reason = ${reason ?? null}, revision = revision + 1, decided_at = ${at}, decided_by = ${by}
    where id = ${id}`.execute(tx)
}

/** Deletes what an account proposed, approved connectors included. */
export async function deleteSubmissionsOf(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from connector_submissions where account_id = ${accountId}`.execute(executor)
}

function submissionOf(row: SubmissionRow): Submission {
  const { id, name, title, kind, version, summary, licence, hosts, checksum, state, revision } = row
  return {
    id,
    accountId: row.account_id,
    name,
    title,
    kind,
    version,
    summary,
    licence,
    homepage: row.homepage ?? undefined,
    hosts,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The column contains only operations, written above.
    operations: JSON.parse(row.operations) as readonly ConnectorOperation[],
    operationCount: row.operation_count,
    checksum,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The column contains only checks, written above.
    checks: JSON.parse(row.checks) as readonly Check[],
    state,
    reason: row.reason ?? undefined,
    revision,
    createdAt: row.created_at,
    decidedAt: row.decided_at ?? undefined,
  }
}
