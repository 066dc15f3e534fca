import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  type AnchorProof,
  type AuditEntry,
  checkAnchor,
  type CheckDeps,
  createDayCheck,
  type DayReport,
  fromHex,
  type Hash,
  type NoteKey,
  parseVerifierKey,
  parseWitnessKey,
  type RevealedChanges,
  type StoredDay,
  type StoredLeaf,
} from '@millrace/contract/transparency'
import type { certificatesOf } from '@millrace/server/time-stamp'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { Failure, messageOf, unreadable, usageFailure } from '#command/failure.ts'
import { createPaint } from '#terminal/paint.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { textLines } from '#terminal/text-lines.ts'

export interface VerifyAuditRequest {
  readonly files: readonly string[]
  /** The public key of checkpoints, as `name+id+base64`. */
  readonly key: string | undefined
  /** The keys of witnesses that must have co-signed, as `name+id+base64`. */
  readonly witnesses: readonly string[]
  /** File with the certificates of the time stamp authority, which must have stamped. */
  readonly tsa: string | undefined
  readonly json: boolean
}

interface LeafLine {
  readonly leaf: {
    readonly index: number
    readonly hash: string
    readonly event: string | null
    readonly entry: AuditEntry | null
    readonly revealed?: RevealedChanges
  }
}

interface DayLine {
  readonly day: Omit<StoredDay, 'root'> & { readonly format: string; readonly root: string; readonly anchor?: AnchorProof | null }
}

export const sha256: Hash = (bytes) => createHash('sha256').update(bytes).digest()

/** Verifies exported days of an audit log with a public key alone: no database and no network. */
export async function verifyAudit(
  { files, key, witnesses, tsa, json }: VerifyAuditRequest,
  { stdout, stderr }: Terminal,
): Promise<ExitCode> {
  if (files.length === 0) throw usageFailure('Name the file of an exported day: millrace verify audit FILE --key KEY.')
  const trust = await readTrust({ key, witnesses, tsa })
  const paint = createPaint(stdout)
  let wrong = 0
  for (const file of files) {
    const report = await verifyFile(file, trust)
    if (report.findings.length > 0) wrong += 1
    if (json) stdout.write(`${JSON.stringify({ file, ...report })}\n`)
    else if (report.findings.length === 0)
      stdout.write(
        `${paint.green('✓')} ${file} ${paint.dim(`${report.date}: ${report.leaves} leaves, ${report.checkpoints} checkpoints${attested(report.attested)}`)}\n`,
      )
    else
      for (const { kind, index, detail } of report.findings)
        stdout.write(`${paint.red('✗')} ${file} ${kind}${index === null ? '' : ` ${index}`}: ${detail}\n`)
  }
  if (!json) stderr.write(`${files.length} verified, ${wrong === 0 ? 'none differs' : wrong === 1 ? '1 differs' : `${wrong} differ`}.\n`)
  return wrong === 0 ? exitCodes.ok : exitCodes.failed
}

/** Reads what is trusted from the options of the command. */
export async function readTrust({ key, witnesses, tsa }: Pick<VerifyAuditRequest, 'key' | 'witnesses' | 'tsa'>): Promise<Trust> {
  const noteKey = key === undefined ? undefined : parseVerifierKey(sha256, key)
  if (noteKey === undefined)
    throw usageFailure(
      'Give the public key of checkpoints by --key: the "verifierKey" of GET /api/v1/audit/keys, kept from an earlier time.',
    )
  return {
    key: noteKey,
    witnesses: witnesses.map(witnessKey),
    certificates: tsa === undefined ? undefined : await readCertificates(tsa),
  }
}

/** The certificates of a PEM file. */
async function readCertificates(file: string): Promise<ReturnType<typeof certificatesOf>> {
  // Only this option needs the library of certificates, which takes long to load.
  const library = await import('@millrace/server/time-stamp')
  try {
    return library.certificatesOf(await readFile(file, 'utf8'))
  } catch (error) {
    throw new Failure(`${file} cannot be used as the certificates of a time stamp authority: ${messageOf(error)}`, { cause: error })
  }
}

/** What the one who verifies has got from elsewhere. */
export interface Trust {
  readonly key: NoteKey
  readonly witnesses: readonly NoteKey[]
  readonly certificates: ReturnType<typeof certificatesOf> | undefined
}

interface FileReport extends Omit<DayReport, 'findings'> {
  readonly findings: readonly (Omit<DayReport['findings'][number], 'kind'> & { readonly kind: string })[]
  /** What others state about the log, by their names. */
  readonly attested: Readonly<Record<string, string>>
}

function witnessKey(text: string): NoteKey {
  const key = parseWitnessKey(sha256, text)
  if (key === undefined)
    throw usageFailure(`--witness ${text} is no key of a witness: write name+id+base64, of the type of co-signatures (4).`)
  return key
}

function attested(by: FileReport['attested']): string {
  return Object.entries(by)
    .map(([name, at]) => `, ${name} ${at}`)
    .join('')
}

function verifyFile(file: string, trust: Trust): Promise<FileReport> {
  return verifyExport(file, createReadStream(file), trust)
}

/** Verifies the lines of an exported day. @param file its name in messages. */
export async function verifyExport(file: string, input: Readable, trust: Trust): Promise<FileReport> {
  const leaves: StoredLeaf[] = []
  let day: DayLine['day'] | undefined
  try {
    let number = 0
    for await (const text of textLines(input)) {
      number += 1
      if (text.trim() === '') continue
      const line = parse(file, number, text)
      if ('day' in line) day = line.day
      else leaves.push(leafOf(line))
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw unreadable(file, error)
  }
  if (day?.format !== 'millrace-audit/1')
    throw new Failure(`${file} has no line with the day: append the lines of every part of the export.`)
  const deps = { hash: sha256, keys: [trust.key], verifySignature: verifyEd25519 }
  const checked = createDayCheck(deps, { ...day, root: fromHex(day.root) })
  for (const leaf of leaves.toSorted((left, right) => left.index - right.index)) checked.add(leaf)
  const report = checked.finish()
  const { problems, by } = await attestations(deps, day, trust)
  const wrong = problems.map((detail) => ({ kind: 'anchor_invalid', index: null, event: null, detail }))
  return { ...report, findings: [...report.findings, ...wrong], attested: by }
}

/** Checks the anchor of a day: always that it is whole, and what the given witnesses and the given authority state. */
async function attestations(deps: CheckDeps, { anchor, checkpoints }: DayLine['day'], { witnesses, certificates }: Trust) {
  const isWanted = witnesses.length > 0 || certificates !== undefined
  if (anchor === undefined || anchor === null)
    return { problems: isWanted ? ['The day has no anchor, so no witness and no authority has seen it.'] : [], by: {} }
  const { problem, witnesses: seen } = checkAnchor(deps, anchor, checkpoints, witnesses)
  const by: Record<string, string> = Object.fromEntries(seen.map(({ name, at }) => [name, at.toISOString()]))
  if (problem !== undefined || certificates === undefined) return { problems: problem === undefined ? [] : [problem], by }
  if (anchor.timeStamp === null) return { problems: ['The anchor has no time stamp.'], by }
  const { verifyTimeStamp } = await import('@millrace/server/time-stamp')
  const stamp = await verifyTimeStamp(anchor.timeStamp, anchor.note, certificates)
  if (stamp.at !== undefined) by['time stamp'] = stamp.at.toISOString()
  return { problems: stamp.problem === undefined ? [] : [stamp.problem], by }
}

function parse(file: string, number: number, text: string): LeafLine | DayLine {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The lines below check the members that decide; the hashes check the rest.
    const line = JSON.parse(text) as Partial<LeafLine & DayLine>
    if (typeof line.day?.date === 'string' && Array.isArray(line.day.checkpoints)) return { day: line.day }
    if (typeof line.leaf?.index === 'number' && typeof line.leaf.hash === 'string') return { leaf: line.leaf }
  } catch {
    // The failure below names the line.
  }
  throw new Failure(`${file}, line ${number}, is no line of an exported audit log.`)
}

function leafOf({ leaf }: LeafLine): StoredLeaf {
  return { index: leaf.index, hash: fromHex(leaf.hash), event: leaf.event, entry: leaf.entry ?? undefined, revealed: leaf.revealed }
}

export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') }, format: 'jwk' })
  return verifySignature(null, message, key, signature)
}
