import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { describeTables, type DescribedTable } from './describe-tables.ts'
import { developmentTables, formTables, ruleOf, type TableRule } from './table-rules.ts'

/** A table in which the data of persons is looked for, and what an erasure does with the records that have it. */
export interface SearchedTable {
  readonly table: DescribedTable
  readonly rule: Exclude<TableRule, { readonly kind: 'skip' }>
  /** Undefined for tables without accounts. */
  readonly accountId: string | undefined
}

/** The tables that searches, reports and erasures look into. @param includesForms whether those of public forms of the installation too. */
export async function searchedTables(
  db: Kysely<Rows>,
  { accountId, includesForms }: { readonly accountId: string; readonly includesForms: boolean },
): Promise<readonly SearchedTable[]> {
  const others = new Set([...(includesForms ? formTables : []), ...developmentTables])
  return (await describeTables(db)).flatMap((table): readonly SearchedTable[] => {
    if (table.texts.length === 0 || table.key.length === 0) return []
    const ofAccount = table.hasAccount ? accountId : undefined
    if (others.has(table.name)) return [{ table, rule: { kind: 'delete' }, accountId: ofAccount }]
    const rule = ruleOf(table.name)
    return !table.hasAccount || rule.kind === 'skip' ? [] : [{ table, rule, accountId: ofAccount }]
  })
}
