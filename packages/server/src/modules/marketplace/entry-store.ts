import { type Kysely, sql } from 'kysely'
import { nameSource } from '#platform/db/name-source.ts'
import type { Rows } from '#platform/db/rows.ts'
import { fold } from '#platform/search/fold.ts'
import { type EntryRow, entryColumns, entryOf } from './entry-rows.ts'
import type { Entry, EntryState, Publication, ReportReason } from './model.ts'

type Executor = Kysely<Rows>

interface Authorship {
  readonly at: Date
  readonly by: string
}

/** Counts an account's entries, one publication at a time. */
export async function countEntries(tx: Executor, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('marketplace/' || ${accountId}, 0))`.execute(tx)
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from marketplace_entries where account_id = ${accountId}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** The entry of a workflow, locked: an operator may be removing it. */
export async function findEntryOf(tx: Executor, accountId: string, workflowId: string): Promise<Entry | undefined> {
  const { rows } = await sql<EntryRow>`
    select ${entryColumns} from marketplace_entries where account_id = ${accountId} and workflow_id = ${workflowId} for update`.execute(tx)
  return rows[0] === undefined ? undefined : entryOf(rows[0])
}

/** Writes an entry with its next version. */
export async function saveEntry(
  tx: Executor,
  accountId: string,
  { id, number, publication }: { readonly id: string; readonly number: number; readonly publication: Publication },
  { at, by }: Authorship,
): Promise<void> {
  const { title, summary, author, category, tags, licence, workflowId, content } = publication
  const words = sql`setweight(to_tsvector('simple', ${fold(title)}), 'A') || setweight(to_tsvector('simple', ${fold([...tags, category].join(' '))}), 'B')
    || setweight(to_tsvector('simple', ${fold(`${summary} ${author}`)}), 'C') || setweight(to_tsvector('simple', ${fold(content.readme)}), 'D')`
  await sql`
    insert into marketplace_entries (id, account_id, workflow_id, title, summary, author, category, tags, licence, version, state, words,
      created_at, created_by, updated_at)
    values (${id}, ${accountId}, ${workflowId}, ${title}, ${summary}, ${author}, ${category}, ${[...tags]}, ${licence}, ${number}, 'listed',
      ${words}, ${at}, ${by}, ${at})
    on conflict (id) do update set title = excluded.title, summary = excluded.summary, author = excluded.author, category = excluded.category,
      tags = excluded.tags, licence = excluded.licence, version = excluded.version, state = 'listed', words = excluded.words,
      updated_at = excluded.updated_at`.execute(tx)
  await sql`
    insert into marketplace_versions (entry_id, number, account_id, definition, source, checksum, readme, drawing, notes, parameters, permissions,
      created_at)
    values (${id}, ${number}, ${accountId}, ${content.json}, ${content.source}, ${content.checksum}, ${content.readme}, ${content.drawing},
      ${content.notes}, ${JSON.stringify(content.parameters)}, ${JSON.stringify(content.permissions)}, ${at})`.execute(tx)
}

/** Changes the state of an entry that is in a known one; of any account, if the executor may. @returns whether it still was. */
export async function changeState(
  executor: Executor,
  { id, accountId, state: known }: Pick<Entry, 'id' | 'accountId' | 'state'>,
  { state, reason }: { readonly state: EntryState; readonly reason: string | undefined },
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update marketplace_entries set state = ${state}, reason = ${reason ?? null}, updated_at = ${at}
    where account_id = ${accountId} and id = ${id} and state = ${known} returning id`.execute(executor)
  return rows.length > 0
}

/** Notes that an account imported an entry. */
export async function insertImport(tx: Executor, accountId: string, entryId: string, at: Date): Promise<void> {
  await sql`
    insert into marketplace_imports (entry_id, account_id, imported_at) values (${entryId}, ${accountId}, ${at})
    on conflict do nothing`.execute(tx)
}

export async function hasImported(tx: Executor, accountId: string, entryId: string): Promise<boolean> {
  const { rows } = await sql`
    select from marketplace_imports where account_id = ${accountId} and entry_id = ${entryId}`.execute(tx)
  return rows.length > 0
}

/** Writes the rating of an account and returns its previous one. Its row is locked, so that two requests count as one after the other. */
export async function saveRating(
  tx: Executor,
  accountId: string,
  { entryId, stars }: { readonly entryId: string; readonly stars: number },
  { at, by }: Authorship,
): Promise<number | undefined> {
  const { rows } = await sql<{ readonly stars: number }>`
    select stars from marketplace_ratings where account_id = ${accountId} and entry_id = ${entryId} for update`.execute(tx)
  await sql`
    insert into marketplace_ratings (entry_id, account_id, stars, rated_at, rated_by) values (${entryId}, ${accountId}, ${stars}, ${at}, ${by})
    on conflict (entry_id, account_id) do update set stars = excluded.stars, rated_at = excluded.rated_at, rated_by = excluded.rated_by`.execute(
    tx,
  )
  return rows[0]?.stars
}

export async function saveReport(
  tx: Executor,
  accountId: string,
  {
    id,
    entryId,
    reason,
    detail,
  }: { readonly id: string; readonly entryId: string; readonly reason: ReportReason; readonly detail: string },
  { at, by }: Authorship,
): Promise<void> {
  await sql`
    insert into marketplace_reports (id, entry_id, account_id, reason, detail, created_at, created_by)
    values (${id}, ${entryId}, ${accountId}, ${reason}, ${detail}, ${at}, ${by})
    on conflict (entry_id, account_id) do update set reason = excluded.reason, detail = excluded.detail, created_at = excluded.created_at`.execute(
    tx,
  )
}

const hidden = 'The account was deleted.'

/** Lists no entry of an account that is deleted. */
export async function hideEntriesOf(tx: Executor, accountId: string, at: Date): Promise<void> {
  await sql`
    update marketplace_entries set state = 'withdrawn', reason = ${hidden}, updated_at = ${at}
    where account_id = ${accountId} and state = 'listed'`.execute(tx)
}

/** Lists the entries of a restored account again that `hideEntriesOf` withdrew. */
export async function showEntriesOf(tx: Executor, accountId: string, at: Date): Promise<void> {
  await sql`
    update marketplace_entries set state = 'listed', reason = null, updated_at = ${at}
    where account_id = ${accountId} and state = 'withdrawn' and reason = ${hidden}`.execute(tx)
}

/** Deletes what an account published, and its ratings, reports and imports. What others imported from it stays theirs. */
export async function deleteMarketplaceOf(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from marketplace_ratings where account_id = ${accountId}`.execute(executor)
  await sql`delete from marketplace_reports where account_id = ${accountId}`.execute(executor)
  await sql`delete from marketplace_imports where account_id = ${accountId}`.execute(executor)
  await sql`delete from marketplace_entries where account_id = ${accountId}`.execute(executor)
}

/** The titles of what an account has published. */
export const entryNames = nameSource('mkt', sql`select id, account_id, title as name, title as words from marketplace_entries`)
