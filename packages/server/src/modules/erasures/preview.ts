import { Fault } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { describeTables } from './describe-tables.ts'
import { type ErasedFiles, formFoldersIn, type NamedFile } from './form-files.ts'
import type { Needle } from './needles.ts'
import { countMatches, matchingInputs } from './record-store.ts'
import { developmentTables, formTables, ruleOf } from './table-rules.ts'

/** What an erasure would do now. */
export interface ErasurePreview {
  readonly records: readonly { readonly table: string; readonly records: number; readonly action: 'replace' | 'delete' | 'keep' }[]
  /** Files of start forms that it would delete. */
  readonly files: readonly NamedFile[]
  /** How many more there are at least. */
  readonly moreFiles: number
}

const inputsMax = 1_000
const filesMax = 100

/** Counts what an erasure would replace, delete and keep. Contents of files are not read. Fault `overloaded` when the signal aborts. */
export async function previewErasure(
  db: Kysely<Rows>,
  files: Pick<ErasedFiles, 'ofForm'>,
  {
    accountId,
    needles,
    includesForms,
  }: { readonly accountId: string; readonly needles: readonly Needle[]; readonly includesForms: boolean },
  signal: AbortSignal,
): Promise<ErasurePreview> {
  const records: ErasurePreview['records'][number][] = []
  const others = new Set([...(includesForms ? formTables : []), ...developmentTables])
  for (const table of await describeTables(db)) {
    const rule = others.has(table.name) ? ({ kind: 'delete' } as const) : ruleOf(table.name)
    if (table.texts.length === 0 || table.key.length === 0 || rule.kind === 'skip' || !(table.hasAccount || others.has(table.name)))
      continue
    if (signal.aborted)
      throw new Fault('overloaded', {
        detail: 'The account has too much to be counted now. The erasure itself takes the time that it needs.',
      })
    const { total } = await countMatches(db, table, { accountId: table.hasAccount ? accountId : undefined, needles })
    if (total > 0) records.push({ table: table.name, records: total, action: rule.kind })
  }
  const found: NamedFile[] = []
  for (const folder of formFoldersIn(await matchingInputs(db, { accountId, needles }, inputsMax)))
    found.push(...(await files.ofForm(db, accountId, folder)))
  return { records, files: found.slice(0, filesMax), moreFiles: Math.max(0, found.length - filesMax) }
}
