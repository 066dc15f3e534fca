import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

export interface NewestCheckpoint {
  readonly account_id: string
  readonly day: string
  readonly size: number
  readonly note: string
}

export interface AnchorRow {
  readonly index: number
  readonly made_at: Date
  readonly note: string
}

/** Lets one process at a time extend the anchor log; the lock ends with the transaction. The number is the bytes of "anch". */
export async function lockAnchors(tx: Kysely<Rows>): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${0x616e6368}) as locked`.execute(tx)
  return rows[0]?.locked ?? false
}

export async function latestAnchor(db: Kysely<Rows>): Promise<AnchorRow | undefined> {
  const { rows } = await sql<AnchorRow>`select index, made_at, note from audit_anchors order by index desc limit 1`.execute(db)
  return rows[0]
}

/** When the newest anchor was made that left no checkpoint over; undefined while all have been full. */
export async function lastCompleteAt(db: Kysely<Rows>, batchMax: number): Promise<Date | undefined> {
  const { rows } = await sql<{ made_at: Date }>`
    select made_at from audit_anchors where batch_size < ${batchMax} order by index desc limit 1`.execute(db)
  return rows[0]?.made_at
}

/** The newest checkpoint of each log since a time, unless it is anchored. */
export async function listNewestCheckpoints(
  tx: Kysely<Rows>,
  since: Date | undefined,
  limit: number,
): Promise<readonly NewestCheckpoint[]> {
  const { rows } = await sql<NewestCheckpoint>`
    select n.account_id, n.day::text as day, n.size, n.note from (
      select distinct on (account_id, day) account_id, day, size, note from audit_checkpoints
      where made_at >= ${since ?? '-infinity'} order by account_id, day, size desc) n
    where not exists (select from audit_anchored a where a.account_id = n.account_id and a.day = n.day and a.size = n.size)
    order by n.account_id, n.day limit ${limit}`.execute(tx)
  return rows
}

/** The hashes of all leaves of the anchor log, in order. */
export async function listAnchorHashes(db: Kysely<Rows>, size?: number): Promise<readonly Buffer[]> {
  const { rows } = await sql<{ hash: Buffer }>`
    select hash from audit_anchors where ${size === undefined ? sql`true` : sql`index < ${size}`} order by index`.execute(db)
  return rows.map(({ hash }) => hash)
}

export interface NewAnchor {
  readonly index: number
  readonly at: Date
  readonly batchRoot: Uint8Array
  readonly hash: Uint8Array
  readonly note: string
  readonly checkpoints: readonly (Omit<NewestCheckpoint, 'note'> & { readonly hash: Uint8Array })[]
}

export async function insertAnchor(tx: Kysely<Rows>, { index, at, batchRoot, hash, note, checkpoints }: NewAnchor): Promise<void> {
  await sql`insert into audit_anchors (index, made_at, batch_size, batch_root, hash, note)
    values (${index}, ${at}, ${checkpoints.length}, ${Buffer.from(batchRoot)}, ${Buffer.from(hash)}, ${note})`.execute(tx)
  await sql`
    insert into audit_anchored (account_id, day, size, anchor, place, hash)
    select u.account_id, u.day, u.size, ${index}, u.ordinal - 1, u.hash from unnest(
      ${checkpoints.map(({ account_id }) => account_id)}::uuid[], ${checkpoints.map(({ day }) => day)}::date[],
      ${checkpoints.map(({ size }) => size)}::integer[], ${checkpoints.map((one) => Buffer.from(one.hash))}::bytea[])
      with ordinality as u(account_id, day, size, hash, ordinal)`.execute(tx)
}

export async function listAttestations(db: Kysely<Rows>, anchor: number) {
  const { rows } = await sql<{ source: string; statement: string }>`
    select source, statement from audit_attestations where anchor = ${anchor} order by source`.execute(db)
  return rows
}

/** The size of the anchor log that a source has attested last. */
export async function attestedSize(db: Kysely<Rows>, source: string): Promise<number> {
  const { rows } = await sql<{ anchor: number }>`
    select anchor from audit_attestations where source = ${source} order by anchor desc limit 1`.execute(db)
  return rows[0] === undefined ? 0 : rows[0].anchor + 1
}

export async function insertAttestation(
  db: Kysely<Rows>,
  { anchor, source, statement, at }: { readonly anchor: number; readonly source: string; readonly statement: string; readonly at: Date },
): Promise<void> {
  await sql`insert into audit_attestations (anchor, source, statement, made_at) values (${anchor}, ${source}, ${statement}, ${at})
    on conflict (anchor, source) do nothing`.execute(db)
}

/** The newest anchored checkpoint of a day, with the first anchor from its own on that has an attestation, or its own. */
export async function findAnchored(db: Kysely<Rows>, accountId: string, day: string) {
  const { rows } = await sql<{ size: number; anchor: number; place: number; noted: number; note: string }>`
    select a.size, a.anchor, a.place, n.index as noted, n.note from audit_anchored a
    join audit_anchors n on n.index = coalesce((select min(t.anchor) from audit_attestations t where t.anchor >= a.anchor), a.anchor)
    where a.account_id = ${accountId} and a.day = ${day}::date order by a.size desc limit 1`.execute(db)
  return rows[0]
}

/** The hashes of the checkpoints of a batch, in order. */
export async function listBatch(db: Kysely<Rows>, anchor: number): Promise<readonly Buffer[]> {
  const { rows } = await sql<{ hash: Buffer }>`select hash from audit_anchored where anchor = ${anchor} order by place`.execute(db)
  return rows.map(({ hash }) => hash)
}
