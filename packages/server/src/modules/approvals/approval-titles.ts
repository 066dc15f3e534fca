import { sql } from 'kysely'
import { type NameSource, nameSource } from '#platform/db/name-source.ts'
import { toTypeId } from '#platform/ids.ts'
import { readableArguments } from './readable-arguments.ts'

/** So many of the latest approvals of an account are looked through for a text: a title is part of the arguments and has no index. */
const searchedMax = 5_000
const foundMax = 100

const titles = nameSource('apr', sql`select id, account_id, (${readableArguments()}) ->> 'title' as name, '' as words from approvals`)

/** The titles of approvals. */
export const approvalTitles: NameSource = {
  prefix: titles.prefix,
  of: titles.of,
  async find(tx, accountId, text) {
    const { rows } = await sql<{ readonly id: string }>`
      select id from (select id, arguments from approvals where account_id = ${accountId} order by id desc limit ${searchedMax}) a
      where strpos(lower((${readableArguments()}) ->> 'title'), lower(${text})) > 0 order by id desc limit ${foundMax}`.execute(tx)
    return rows.map(({ id }) => toTypeId('apr', id))
  },
}
