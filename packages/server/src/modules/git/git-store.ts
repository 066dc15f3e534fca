import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { everyMs, type GitLink, type GitRepository, type GitSettings, type NewGitRepository, retryMsMax } from './model.ts'
import { nameSource } from '#platform/db/name-source.ts'

type Executor = Kysely<Rows>

interface RepositoryRow {
  readonly id: string
  readonly account_id: string
  readonly url: string
  readonly branch: string
  readonly folder: string
  readonly connection: string | null
  readonly pull: 'draft' | 'publish'
  readonly automatic: boolean
  readonly authors: boolean
  readonly commit_id: string | null
  readonly synced_at: Date | null
  readonly problem: string | null
  readonly conflicts: string[]
  readonly files: number
  readonly created_at: Date
}

const columns = sql`r.id, r.account_id, r.url, r.branch, r.folder, r.connection, r.pull, r.automatic, r.authors, r.commit_id, r.synced_at, r.problem, r.conflicts,
  (select count(*)::int from git_files f where f.repository_id = r.id) as files, r.created_at`

/** By the clock of the database, which all processes share. */
const isReservedSql = sql`busy_until >= clock_timestamp()`
const leaseEndSql = (leaseMs: number) => sql`clock_timestamp() + make_interval(secs => ${leaseMs / 1000}::float8)`

/** One pull or push, and for how long it reserves its repository unless it renews that. */
export interface Reservation {
  readonly by: string
  readonly leaseMs: number
}

/** Counts the repositories of an account; their creation is serial until the transaction ends. */
export async function countRepositories(tx: Executor, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('git/' || ${accountId}, 0))`.execute(tx)
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from git_repositories where account_id = ${accountId}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** @returns false if the account has linked this folder of this branch already. */
export async function insertRepository(
  tx: Executor,
  accountId: string,
  given: NewGitRepository,
  { at, by }: { readonly at: Date; readonly by: string },
): Promise<boolean> {
  const { id, url, branch, folder, connection, pull, automatic, authors } = given
  const { rows } = await sql`
    insert into git_repositories (id, account_id, url, branch, folder, connection, pull, automatic, authors, next_at, created_at, created_by)
    values (${id}, ${accountId}, ${url}, ${branch}, ${folder}, ${connection ?? null}, ${pull}, ${automatic}, ${authors}, ${automatic ? at : null}, ${at}, ${by})
    on conflict (account_id, url, branch, folder) do nothing returning 1 as one`.execute(tx)
  return rows.length > 0
}

export async function listRepositories(
  tx: Executor,
  accountId: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly GitRepository[]> {
  const { rows } = await sql<RepositoryRow>`
    select ${columns} from git_repositories r
    where r.account_id = ${accountId} ${before === undefined ? sql`` : sql`and r.id < ${before}`} order by r.id desc limit ${limit}`.execute(
    tx,
  )
  return rows.map(repositoryOf)
}

export async function findRepository(tx: Executor, accountId: string, id: string): Promise<GitRepository | undefined> {
  const { rows } = await sql<RepositoryRow>`
    select ${columns} from git_repositories r where r.account_id = ${accountId} and r.id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : repositoryOf(rows[0])
}

/** @returns false if the account has linked this folder of this branch already. Call it with the lock of `countBusy`. */
export async function updateRepository(
  tx: Executor,
  accountId: string,
  id: string,
  { url, branch, folder, connection, pull, automatic, authors }: GitSettings,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update git_repositories set url = ${url}, branch = ${branch}, folder = ${folder}, connection = ${connection ?? null}, pull = ${pull},
      automatic = ${automatic}, authors = ${authors}, next_at = ${automatic ? at : null}, failures = 0, problem = null
    where account_id = ${accountId} and id = ${id} and not exists (
      select from git_repositories o
      where o.account_id = ${accountId} and o.url = ${url} and o.branch = ${branch} and o.folder = ${folder} and o.id <> ${id}
    ) returning 1 as one`.execute(tx)
  return rows.length > 0
}

/** Forgets which files are linked and what was pulled: the repository is as if it were linked anew. */
export async function forgetFiles(tx: Executor, accountId: string, id: string): Promise<void> {
  await sql`delete from git_files where account_id = ${accountId} and repository_id = ${id}`.execute(tx)
  await sql`
    update git_repositories set commit_id = null, synced_at = null, conflicts = '{}'
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

/** Whether a pull or push of a repository is in progress. */
export async function isBusy(tx: Executor, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 as one from git_repositories where account_id = ${accountId} and id = ${id} and ${isReservedSql}`.execute(tx)
  return rows.length > 0
}

/** @returns its URL. */
export async function deleteRepository(tx: Executor, accountId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ readonly url: string }>`
    delete from git_repositories where account_id = ${accountId} and id = ${id} returning url`.execute(tx)
  return rows[0]?.url
}

/** Locks the work of an account with its repositories, and counts those that are being pulled or pushed. */
export async function countBusy(tx: Executor, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('git/' || ${accountId}, 0))`.execute(tx)
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from git_repositories where account_id = ${accountId} and ${isReservedSql}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Reserves a repository for one pull or push, which renews the reservation. False while another one runs. */
export async function reserve(tx: Executor, accountId: string, id: string, { by, leaseMs }: Reservation): Promise<boolean> {
  const { rows } = await sql`
    update git_repositories set busy_until = ${leaseEndSql(leaseMs)}, busy_by = ${by}
    where account_id = ${accountId} and id = ${id} and (${isReservedSql}) is not true returning 1 as one`.execute(tx)
  return rows.length > 0
}

/** @returns false if the reservation was lost: it has ended, or another one has begun. */
export async function renew(tx: Executor, accountId: string, id: string, { by, leaseMs }: Reservation): Promise<boolean> {
  const { rows } = await sql`
    update git_repositories set busy_until = ${leaseEndSql(leaseMs)}
    where account_id = ${accountId} and id = ${id} and busy_by = ${by} returning 1 as one`.execute(tx)
  return rows.length > 0
}

export interface SyncResult {
  readonly at: Date
  /** Undefined if it failed before one was known. */
  readonly commit: string | undefined
  readonly problem: string | undefined
  /** Undefined if it failed: then those that are known stay. */
  readonly conflicts: readonly string[] | undefined
  /** Whether the failures before do not count any more, unless this is one. */
  readonly endsFailures: boolean
}

/** Frees a repository whose pull or push was interrupted; an automatic one is due at once. */
export async function freeRepository(tx: Executor, accountId: string, id: string, by: string, at: Date): Promise<void> {
  await sql`
    update git_repositories set busy_until = null, busy_by = null, next_at = case when next_at is not null then ${at}::timestamptz end
    where account_id = ${accountId} and id = ${id} and busy_by = ${by}`.execute(tx)
}

/**
 * Records the end of a pull or push and frees the repository; nothing if the reservation was lost. One that fails again and again is due less and
 * less often.
 */
export async function recordSync(tx: Executor, accountId: string, id: string, by: string, result: SyncResult): Promise<void> {
  const { at, commit, problem, conflicts, endsFailures } = result
  const hasFailed = problem !== undefined
  const waitMs = sql`case when ${hasFailed} then least(${everyMs} * power(2, least(failures, 10)), ${retryMsMax}) else ${everyMs} end`
  await sql`
    update git_repositories set failures = case when ${hasFailed} then failures + 1 when ${endsFailures} then 0 else failures end,
      next_at = case when next_at is not null then ${at}::timestamptz + make_interval(secs => (${waitMs})::float8 / 1000) end, busy_until = null, busy_by = null, problem = ${problem ?? null}, commit_id = coalesce(${commit ?? null}, commit_id),
      synced_at = case when ${hasFailed} then synced_at else ${at}::timestamptz end,
      conflicts = coalesce(${conflicts === undefined ? null : [...conflicts]}::text[], conflicts)
    where account_id = ${accountId} and id = ${id} and busy_by = ${by}`.execute(tx)
}

/**
 * Takes the automatic repository that is due longest, and says when it is due again in case its process ends. Those of accounts with one in progress wait,
 * so that the slow repositories of one account do not delay those of others.
 */
export async function takeDue(
  executor: Executor,
  { now, next }: { readonly now: Date; readonly next: Date },
): Promise<{ readonly id: string; readonly accountId: string } | undefined> {
  const { rows } = await sql<{ readonly id: string; readonly account_id: string }>`
    update git_repositories r set next_at = ${next}
    from (
      select id from git_repositories w
      where next_at <= ${now} and not exists (select from git_repositories b where b.account_id = w.account_id and ${isReservedSql})
      order by next_at limit 1 for update skip locked
    ) d
    where r.id = d.id returning r.id, r.account_id`.execute(executor)
  const [row] = rows
  return row === undefined ? undefined : { id: row.id, accountId: row.account_id }
}

export async function listLinks(tx: Executor, accountId: string, repositoryId: string): Promise<readonly GitLink[]> {
  const { rows } = await sql<{ readonly path: string; readonly workflow_id: string; readonly base_sha256: string }>`
    select path, workflow_id, base_sha256 from git_files where account_id = ${accountId} and repository_id = ${repositoryId} order by path`.execute(
    tx,
  )
  return rows.map((row) => ({ path: row.path, workflowId: row.workflow_id, baseSha256: row.base_sha256 }))
}

export async function putLink(
  tx: Executor,
  accountId: string,
  repositoryId: string,
  { path, workflowId, baseSha256 }: GitLink,
): Promise<void> {
  await sql`
    insert into git_files (repository_id, account_id, path, workflow_id, base_sha256)
    values (${repositoryId}, ${accountId}, ${path}, ${workflowId}, ${baseSha256})
    on conflict (repository_id, path) do update set workflow_id = excluded.workflow_id, base_sha256 = excluded.base_sha256`.execute(tx)
}

export async function deleteLink(tx: Executor, accountId: string, repositoryId: string, path: string): Promise<void> {
  await sql`delete from git_files where account_id = ${accountId} and repository_id = ${repositoryId} and path = ${path}`.execute(tx)
}

/** Pulls nothing more into an account that is deleted. */
export async function pauseRepositoriesOf(tx: Executor, accountId: string): Promise<void> {
  await sql`update git_repositories set next_at = null where account_id = ${accountId}`.execute(tx)
}

/** Pulls again into an account that is restored. */
export async function resumeRepositoriesOf(tx: Executor, accountId: string, at: Date): Promise<void> {
  await sql`update git_repositories set next_at = ${at} where account_id = ${accountId} and automatic`.execute(tx)
}

export async function deleteRepositoriesOf(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from git_files where account_id = ${accountId}`.execute(executor)
  await sql`delete from git_repositories where account_id = ${accountId}`.execute(executor)
}

function repositoryOf(row: RepositoryRow): GitRepository {
  return {
    id: row.id,
    accountId: row.account_id,
    url: row.url,
    branch: row.branch,
    folder: row.folder,
    connection: row.connection ?? undefined,
    pull: row.pull,
    automatic: row.automatic,
    authors: row.authors,
    commit: row.commit_id ?? undefined,
    syncedAt: row.synced_at ?? undefined,
    problem: row.problem ?? undefined,
    conflicts: row.conflicts,
    files: row.files,
    createdAt: row.created_at,
  }
}

export const repositoryNames = nameSource('repo', sql`select id, account_id, url as name, url as words from git_repositories`)
