import { text } from 'node:stream/consumers'
import { packExecutionsMax } from '@millrace/contract'
import { type AuditReading, type EvidenceKeys, keyView } from '#modules/audit/index.ts'
import type { Archivist } from '#modules/archivist/archivist-service.ts'
import type { Database } from '#platform/db/database.ts'
import type { Files } from '#platform/files/files.ts'
import { type Bag, writeBag } from '#platform/files/write-bag.ts'
import { toTypeId } from '#platform/ids.ts'
import type { PrintedReport } from '#platform/pdf/printed-report.ts'
import { ownerOf, packLifeMs } from './pack-model.ts'
import { makePart, type PackEvidence, type PackPart } from './pack-part.ts'
import { failPack, findPack, finishPack, type Pack, saveProgress } from './pack-store.ts'
import { printedReport, type ReportRow } from './report.ts'
import { reportPage } from './report-page.ts'
import { verifyPage } from './verify-page.ts'

export interface PackMakerDeps {
  readonly database: Pick<Database, 'system'>
  readonly files: Pick<Files, 'put' | 'makeParts' | 'openPart' | 'deleteParts'>
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

const packBytesMax = 100 * 1024 ** 3

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
  if (selected.length === 0) await saveProgress(db, accountId, packId, { done: 0, total: 0 })
  await makeParts(deps, pack, selected, signal)
  const name = toTypeId('pack', packId)
  const content = writeBag({ name, mtime: pack.createdAt }, (bag) => fillBag(deps, pack, { bag, selected, name, signal }))
  const file = { owner: ownerOf(packId), name: `${name}.zip`, media: 'application/zip', bytesMax: packBytesMax, expiresAt: endOf(pack) }
  const fileId = await deps.files.put(accountId, file, content)
  await db.transaction().execute(async (tx) => {
    await finishPack(tx, accountId, packId, { fileId, at: new Date(deps.now()) })
    await deps.files.deleteParts(tx, accountId, ownerOf(packId))
  })
}

const endOf = ({ createdAt }: Pack) => new Date(createdAt.getTime() + packLifeMs)

/** Gives a pack up whose job failed for the last time. */
export async function abandonPack(
  { database, files, now }: Pick<PackMakerDeps, 'database' | 'files' | 'now'>,
  accountId: string,
  packId: string,
): Promise<void> {
  await failPack(database.system, accountId, packId, 'The pack could not be made. The log of the server names the reason.', new Date(now()))
  await files.deleteParts(database.system, accountId, ownerOf(packId))
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
async function makeParts(deps: PackMakerDeps, pack: Pack, selected: readonly string[], signal: AbortSignal): Promise<void> {
  const { accountId, id } = pack
  await deps.files.makeParts({
    accountId,
    owner: ownerOf(id),
    names: selected,
    readAt: new Date(deps.now()),
    expiresAt: endOf(pack),
    signal,
    async *make(executionId) {
      yield Buffer.from(JSON.stringify(await makePart(deps.archivist, accountId, executionId)))
    },
    onMade: (done) => saveProgress(deps.database.system, accountId, id, { done, total: selected.length }),
  })
}

async function fillBag(
  deps: PackMakerDeps,
  pack: Pack,
  { bag, selected, name, signal }: Filling,
): Promise<Readonly<Record<string, string>>> {
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
  return {
    'Source-Organization': about.account,
    'External-Identifier': name,
    'External-Description': 'Evidence of executions: receipts, journals, definitions and audit logs',
    'Bagging-Date': about.madeAt.toISOString().slice(0, 10),
    'Bag-Software-Agent': 'Millrace',
  }
}

async function partOf({ files }: PackMakerDeps, { accountId, id: packId }: Pack, executionId: string): Promise<PackPart> {
  const { content } = await files.openPart(accountId, ownerOf(packId), executionId)
  return JSON.parse(await text(content))
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
