import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { IdPrefix } from '@millrace/contract'
import { fromTypeId, toTypeId } from '#platform/ids.ts'
import type { Rows } from './rows.ts'

/** The names of the things of one kind, which have a common prefix of their ids. They are read, never kept elsewhere. */
export interface NameSource {
  readonly prefix: IdPrefix
  /** Of things that are gone, which have the names that they had. */
  readonly isFormer?: true
  /** The names of things by id; without those that are gone. */
  of(tx: Kysely<Rows>, accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Ids of things whose words contain a text, in any case, at most 100. */
  find(tx: Kysely<Rows>, accountId: string, text: string): Promise<readonly string[]>
}

const foundMax = 100

/** @param things a query of the owner of the table, with the columns `id`, `account_id`, `name` and `words`, by which it is found. */
export function nameSource(prefix: IdPrefix, things: RawBuilder<unknown>): NameSource {
  return {
    prefix,
    async of(tx, accountId, ids) {
      const uuids = ids.flatMap((id) => fromTypeId(prefix, id) ?? [])
      const { rows } = await sql<{ readonly id: string; readonly name: string }>`
        select id, name from (${things}) t where account_id = ${accountId} and id = any(${uuids}::uuid[])`.execute(tx)
      return new Map(rows.map(({ id, name }) => [toTypeId(prefix, id), name]))
    },
    async find(tx, accountId, text) {
      const { rows } = await sql<{ readonly id: string }>`
        select id from (${things}) t where account_id = ${accountId} and strpos(lower(words), lower(${text})) > 0
        order by id desc limit ${foundMax}`.execute(tx)
      return rows.map(({ id }) => toTypeId(prefix, id))
    },
  }
}

/** The name of a thing for the details of its deletion, after which it cannot be looked up any more. */
export async function nameBefore(source: NameSource, tx: Kysely<Rows>, accountId: string, id: string): Promise<{ readonly name?: string }> {
  const name = (await source.of(tx, accountId, [id])).get(id)
  return name === undefined ? {} : { name }
}
