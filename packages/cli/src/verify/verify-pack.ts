import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { messageOf, usageFailure } from '#command/failure.ts'
import { createPaint } from '#terminal/paint.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { openPack, type PackFiles } from './pack-files.ts'
import { readTrust, type Trust, verifyExport } from './verify-audit.ts'
import { bagFindings, type PackFinding, textOf } from './verify-bag.ts'
import {
  changedSinceEnd,
  differencesOf,
  isDefinition,
  type JournalFile,
  openEnvelope,
  type PackKey,
  proofProblem,
  receiptKeys,
  type ReceiptStatement,
} from './verify-receipt.ts'

export interface VerifyPackRequest {
  /** ZIP files or folders. */
  readonly files: readonly string[]
  /** The public key of checkpoints, as `name+id+base64`. */
  readonly key: string | undefined
  /** The ids of the keys that may have signed receipts; undefined: those of the pack. */
  readonly receiptKeys: readonly string[] | undefined
  readonly witnesses: readonly string[]
  readonly tsa: string | undefined
  readonly json: boolean
}

interface PackReport {
  readonly files: number
  readonly receipts: number
  readonly days: number
  /** Ids of the keys that signed the receipts. */
  readonly receiptKeys: readonly string[]
  readonly findings: readonly PackFinding[]
}

/** Verifies evidence packs by their files and public keys alone: the bag, each receipt with its journal, and each day of the audit log. */
export async function verifyPacks(request: VerifyPackRequest, { stdout, stderr }: Terminal): Promise<ExitCode> {
  if (request.files.length === 0) throw usageFailure('Name the pack: millrace verify pack pack.zip --key KEY.')
  const trust = await readTrust(request)
  const paint = createPaint(stdout)
  let wrong = 0
  for (const path of request.files) {
    const report = await verifyPack(path, trust, request.receiptKeys)
    if (report.findings.length > 0) wrong += 1
    if (request.json) stdout.write(`${JSON.stringify({ pack: path, ...report })}\n`)
    else if (report.findings.length === 0)
      stdout.write(
        `${paint.green('✓')} ${path} ${paint.dim(`${report.files} files, ${report.receipts} receipts, ${report.days} days of the audit log`)}\n`,
      )
    else for (const { file, detail } of report.findings) stdout.write(`${paint.red('✗')} ${path} ${file}: ${detail}\n`)
    if (request.receiptKeys === undefined && report.receiptKeys.length > 0)
      stderr.write(
        `The receipts are signed by the key ${report.receiptKeys.join(', ')}, which is from the pack itself. Give the "keyId" or "publicKey" that you have from elsewhere by --receipt-key.\n`,
      )
  }
  if (!request.json)
    stderr.write(`${request.files.length} verified, ${wrong === 0 ? 'none differs' : wrong === 1 ? '1 differs' : `${wrong} differ`}.\n`)
  return wrong === 0 ? exitCodes.ok : exitCodes.failed
}

async function verifyPack(path: string, trust: Trust, wanted: readonly string[] | undefined): Promise<PackReport> {
  const files = await openPack(path)
  try {
    const bag = await bagFindings(files)
    const receipts = await verifyReceipts(files, trust, wanted)
    const days = await verifyDays(files, trust, receipts.dates)
    return {
      files: files.names.size,
      receipts: receipts.count,
      days: days.count,
      receiptKeys: [...receipts.signedBy].toSorted(),
      findings: [...bag, ...receipts.findings, ...days.findings],
    }
  } finally {
    files.close()
  }
}

const receiptName = /^data\/receipts\/(?<id>[^/]+)\.dsse\.json$/
const journalName = /^data\/journals\/(?<id>[^/]+)\.json$/

async function verifyReceipts(files: PackFiles, trust: Trust, wanted: readonly string[] | undefined) {
  const findings: PackFinding[] = []
  const dates = new Set<string>()
  const signedBy = new Set<string>()
  let count = 0
  const find = (file: string, detail: string) => void findings.push({ file, detail })
  const trusted = await trustedKeys(files, wanted).catch((error: unknown) => {
    find('data/keys.json', `cannot be used: ${messageOf(error)}`)
    return new Map<string, never>()
  })
  for (const name of [...files.names].toSorted()) {
    const journal = journalName.exec(name)?.groups?.['id']
    if (journal !== undefined && !files.names.has(`data/receipts/${journal}.dsse.json`)) find(name, 'has no receipt')
    const id = receiptName.exec(name)?.groups?.['id']
    if (id === undefined) continue
    count += 1
    try {
      const opened = openEnvelope(await textOf(files, name), trusted)
      if (opened === undefined) {
        find(name, wanted === undefined ? 'is not signed by a key of the pack' : notSignedBy(wanted))
        continue
      }
      const { statement, keyId } = opened
      signedBy.add(keyId)
      if (statement.predicate.execution.id !== id) find(name, 'is the receipt of another execution')
      const problem = proofProblem(statement, trust.key)
      if (problem !== undefined) find(name, problem)
      if (statement.predicate.audit !== null) dates.add(statement.predicate.audit.date)
      findings.push(...(await contentFindings(files, id, statement)))
    } catch (error) {
      find(name, `cannot be verified: ${messageOf(error)}`)
    }
  }
  if (count === 0) find('data/receipts', 'has no receipt, so the pack proves nothing')
  return { findings, dates, signedBy, count }
}

const notSignedBy = (wanted: readonly string[]) =>
  wanted.length === 1 ? `is not signed by the given key ${wanted[0]}` : `is not signed by any of the given keys ${wanted.join(', ')}`

async function trustedKeys(files: PackFiles, wanted: readonly string[] | undefined) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A wrong shape throws, or no key fits a receipt.
  const keys = receiptKeys(JSON.parse(await textOf(files, 'data/keys.json')) as readonly PackKey[])
  return new Map([...keys].filter(([keyId]) => wanted === undefined || wanted.includes(keyId)))
}

/** What the journal and the definition of an execution have other than its receipt states. */
async function contentFindings(files: PackFiles, id: string, statement: ReceiptStatement): Promise<readonly PackFinding[]> {
  const journal = `data/journals/${id}.json`
  const text = await textOf(files, journal)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Its digests are compared.
  const kept = JSON.parse(text) as JournalFile
  const changed = changedSinceEnd(statement, text)
  const findings = [
    ...differencesOf(statement, kept).map((detail) => ({ file: journal, detail })),
    ...(changed.length === 0
      ? []
      : [{ file: `data/receipts/${id}.dsse.json`, detail: `states a record that was changed since its end: ${changed.join(', ')}` }]),
  ]
  const { digest, version } = statement.predicate.definition
  if (digest === null) return findings
  const syntax = ['yaml', 'json'].find((one) => files.names.has(`data/definitions/${version}.${one}`))
  const definition = `data/definitions/${version}.${syntax ?? 'yaml'}`
  if (syntax === undefined) return [...findings, { file: definition, detail: 'is missing, and a receipt states its digest' }]
  if (isDefinition(digest, await textOf(files, definition))) return findings
  return [...findings, { file: definition, detail: `is not the definition that the receipt of ${id} states` }]
}

async function verifyDays(files: PackFiles, trust: Trust, dates: ReadonlySet<string>) {
  const findings: PackFinding[] = []
  const names = [...files.names].filter((name) => /^data\/audit\/.+\.jsonl$/.test(name)).toSorted()
  for (const name of names) {
    try {
      const report = await verifyExport(name, await files.open(name), trust)
      if (name !== `data/audit/${report.date}.jsonl`) findings.push({ file: name, detail: `is the log of ${report.date}` })
      for (const { kind, index, detail } of report.findings)
        findings.push({ file: name, detail: `${kind}${index === null ? '' : ` ${index}`}: ${detail}` })
    } catch (error) {
      findings.push({ file: name, detail: `cannot be verified: ${messageOf(error)}` })
    }
  }
  for (const date of [...dates].toSorted())
    if (!files.names.has(`data/audit/${date}.jsonl`))
      findings.push({ file: `data/audit/${date}.jsonl`, detail: 'is missing, and a receipt has its proof from it' })
  return { findings, count: names.length }
}
