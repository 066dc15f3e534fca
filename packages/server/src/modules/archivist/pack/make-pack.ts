import { createHash } from 'node:crypto'
import { PassThrough, type Readable } from 'node:stream'
import { packExecutionsMax } from '@millrace/contract'
import type { Kysely } from 'kysely'
import { type AuditReading, type EvidenceKeys, keyView } from '#modules/audit/index.ts'
import type { Archivist } from '#modules/archivist/archivist-service.ts'
import type { Database } from '#platform/db/database.ts'
import type { Rows } from '#platform/db/rows.ts'
import { toTypeId } from '#platform/ids.ts'
import type { PrintedReport } from '#platform/pdf/printed-report.ts'
import { type Bag, createBag } from './bag.ts'
import { makePart, type PackEvidence, type PackPart } from './pack-part.ts'
import {
  beginPack,
  deleteChunks,
  failPack,
  findPack,
  finishPack,
  insertChunk,
  listParts,
  type Pack,
  readPart,
  savePart,
} from './pack-store.ts'
import { printedReport, type ReportRow } from './report.ts'
import { reportPage } from './report-page.ts'
import { verifyPage } from './verify-page.ts'

export interface PackMakerDeps {
  readonly database: Pick<Database, 'system'>
  readonly archivist: Pick<Archivist, 'receipt'>
  readonly audit: Pick<AuditReading, 'exportDay' | 'endedExecutions' | 'prove'>
  readonly keys: EvidenceKeys
  /** The consents of an account with their receipts, and its privacy policies. */
  readonly rulesOf: (accountId: string) => Promise<PrivacyRules>
  /** Makes the PDF of a report. */
  readonly printReport: (accountId: string, report: PrintedReport) => Promise<Buffer>
  readonly now: () => number
}

/** What an account has allowed and ordered about personal data. */
export interface PrivacyRules {
  readonly consents: readonly object[]
  readonly policies: readonly object[]
}

const chunkBytes = 512 * 1024

/**
 * Makes the file of a pack. When an earlier attempt died, it continues after the last execution whose evidence is complete, and writes the file anew. It does
 * nothing for a pack that is done or deleted.
 */
export async function makePack(deps: PackMakerDeps, accountId: string, packId: string, signal: AbortSignal): Promise<void> {
  const db = deps.database.system
  const pack = await findPack(db, accountId, packId)
  if (pack?.state !== 'preparing') return
  const selected = await selectExecutions(deps, pack)
  if (selected.length > packExecutionsMax.ofPeriod) {
    await failPack(
      db,
      accountId,
      packId,
      `More than ${packExecutionsMax.ofPeriod} executions ended in the period. Choose a shorter one.`,
      new Date(deps.now()),
    )
    return
  }
  await beginPack(db, accountId, packId, selected.length)
  await makeParts(deps, pack, selected, signal)
  await deleteChunks(db, accountId, packId)
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const name = toTypeId('pack', packId)
  const bag = createBag(zip, name, pack.createdAt)
  const output = zip.outputStream.pipe(new PassThrough())
  const stored = storeChunks(db, pack, output)
  const filled = fillBag(deps, pack, { bag, selected, name, signal }).catch((error: unknown) => {
    // The stream would wait for more files for ever.
    output.destroy(error instanceof Error ? error : undefined)
    throw error
  })
  await Promise.all([stored, filled])
  const file = { ...(await stored), at: new Date(deps.now()) }
  await db.transaction().execute((tx) => finishPack(tx, accountId, packId, file))
}

/** Gives a pack up whose job failed for the last time. */
export async function abandonPack(
  { database, now }: Pick<PackMakerDeps, 'database' | 'now'>,
  accountId: string,
  packId: string,
): Promise<void> {
  await failPack(database.system, accountId, packId, 'The pack could not be made. The log of the server names the reason.', new Date(now()))
}

async function selectExecutions({ audit }: PackMakerDeps, { accountId, selection }: Pack): Promise<readonly string[]> {
  if ('executions' in selection) return selection.executions
  return audit.endedExecutions(accountId, new Date(selection.from), new Date(selection.to), packExecutionsMax.ofPeriod + 1)
}

interface Filling {
  readonly bag: Bag
  readonly selected: readonly string[]
  readonly name: string
  readonly signal: AbortSignal
}

/** Makes what the pack has about each execution, except for those that an earlier attempt has made. */
async function makeParts(deps: PackMakerDeps, { accountId, id: packId }: Pack, selected: readonly string[], signal: AbortSignal) {
  const made = await listParts(deps.database.system, accountId, packId)
  for (const id of selected) {
    signal.throwIfAborted()
    if (made.has(id)) continue
    const content = JSON.stringify(await makePart(deps.archivist, accountId, id))
    await savePart(deps.database.system, accountId, packId, { executionId: id, content })
  }
}

async function fillBag(deps: PackMakerDeps, pack: Pack, { bag, selected, name, signal }: Filling): Promise<void> {
  const rows: ReportRow[] = []
  const receipts: PackEvidence['envelope'][] = []
  const erased: string[] = []
  const definitions = new Set<string>()
  for (const id of selected) {
    signal.throwIfAborted()
    const { row, evidence } = await partOf(deps, pack, id)
    rows.push(row)
    if (evidence === undefined) continue
    await addExecution(bag, row.id, evidence, definitions)
    receipts.push(evidence.envelope)
    if (evidence.isErased) erased.push(row.id)
  }
  const days = [...new Set(rows.flatMap(({ proven }) => proven?.loggedOn ?? []))].toSorted()
  const ends: object[] = []
  for (const date of days) {
    const lines = await exportDay(deps, pack.accountId, date)
    await bag.add(`audit/${date}.jsonl`, `${lines.join('\n')}\n`)
    ends.push(JSON.parse(lines.at(-1) ?? '{}').day)
  }
  const { consents, policies } = await deps.rulesOf(pack.accountId)
  await bag.add('privacy/consents.json', `${JSON.stringify(consents, null, 2)}\n`)
  await bag.add('privacy/policies.json', `${JSON.stringify(policies, null, 2)}\n`)
  const keys = (await deps.keys.all()).map(keyView)
  await bag.add('keys.json', `${JSON.stringify(keys, null, 2)}\n`)
  const about = { name, account: toTypeId('acct', pack.accountId), selection: pack.selection, madeAt: pack.createdAt }
  const report = printedReport({ ...about, rows, days })
  await bag.add('report.html', reportPage(report))
  await bag.add('report.pdf', await deps.printReport(pack.accountId, report))
  const missing = rows.filter(({ proven }) => proven === undefined).map(({ id }) => id)
  await bag.add('verify.html', verifyPage({ name, receipts, erased, missing, keys, days: ends }))
  bag.finish({
    'Source-Organization': about.account,
    'External-Identifier': name,
    'External-Description': 'Evidence of executions: receipts, journals, definitions and audit logs',
    'Bagging-Date': about.madeAt.toISOString().slice(0, 10),
    'Bag-Software-Agent': 'Millrace',
  })
}

async function partOf({ database }: PackMakerDeps, { accountId, id: packId }: Pack, executionId: string): Promise<PackPart> {
  const content = await readPart(database.system, accountId, packId, executionId)
  if (content === undefined) throw new Error('a part of a pack was deleted while its file was made')
  return JSON.parse(content)
}

async function addExecution(bag: Bag, id: string, evidence: PackEvidence, definitions: Set<string>): Promise<void> {
  const { envelope, journal, versionId, definition } = evidence
  await bag.add(`receipts/${id}.dsse.json`, `${JSON.stringify(envelope, null, 2)}\n`)
  await bag.add(`journals/${id}.json`, journal)
  if (definition === undefined || definitions.has(versionId)) return
  definitions.add(versionId)
  await bag.add(`definitions/${toTypeId('wfv', versionId)}.${definition.syntax}`, definition.source)
}

async function exportDay({ audit }: PackMakerDeps, accountId: string, date: string): Promise<readonly string[]> {
  const lines: string[] = []
  for (let from: number | undefined = 0; from !== undefined; ) {
    const part: { readonly lines: readonly string[]; readonly next: number | undefined } = await audit.exportDay(accountId, date, {
      from,
      reveal: [],
    })
    lines.push(...part.lines)
    from = part.next
  }
  return lines
}

/** Writes the stream in chunks. @returns the size and the digest of all of it. */
async function storeChunks(
  db: Kysely<Rows>,
  { accountId, id }: Pack,
  stream: Readable,
): Promise<{ readonly bytes: number; readonly sha256: Buffer }> {
  const hash = createHash('sha256')
  let waiting: Buffer[] = []
  let size = 0
  let bytes = 0
  let index = 0
  async function flush(): Promise<void> {
    if (size === 0) return
    await insertChunk(db, accountId, id, { index, bytes: Buffer.concat(waiting) })
    index += 1
    waiting = []
    size = 0
  }
  for await (const part of stream) {
    const buffer = Buffer.from(part)
    hash.update(buffer)
    waiting.push(buffer)
    size += buffer.length
    bytes += buffer.length
    if (size >= chunkBytes) await flush()
  }
  await flush()
  return { bytes, sha256: hash.digest() }
}
