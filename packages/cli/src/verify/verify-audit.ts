import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import {
  type AuditEntry,
  createDayCheck,
  type DayReport,
  fromHex,
  type Hash,
  type NoteKey,
  parseVerifierKey,
  type RevealedChanges,
  type StoredDay,
  type StoredLeaf,
} from '@millrace/contract/transparency'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { Failure, messageOf, usageFailure } from '#command/failure.ts'
import { createPaint } from '#terminal/paint.ts'
import type { Terminal } from '#terminal/terminal.ts'

export interface VerifyAuditRequest {
  readonly files: readonly string[]
  /** The public key of checkpoints, as `name+id+base64`. */
  readonly key: string | undefined
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
  readonly day: Omit<StoredDay, 'root'> & { readonly format: string; readonly root: string }
}

const sha256: Hash = (bytes) => createHash('sha256').update(bytes).digest()

/** Verifies exported days of an audit log with a public key alone: no database and no network. */
export async function verifyAudit({ files, key, json }: VerifyAuditRequest, { stdout, stderr }: Terminal): Promise<ExitCode> {
  if (files.length === 0) throw usageFailure('Name the file of an exported day: millrace verify audit FILE --key KEY.')
  const noteKey = key === undefined ? undefined : parseVerifierKey(sha256, key)
  if (noteKey === undefined)
    throw usageFailure(
      'Give the public key of checkpoints by --key: the "verifierKey" of GET /api/v1/audit/keys, kept from an earlier time.',
    )
  const paint = createPaint(stdout)
  let wrong = 0
  for (const file of files) {
    const report = await verifyFile(file, noteKey)
    if (report.findings.length > 0) wrong += 1
    if (json) stdout.write(`${JSON.stringify({ file, ...report })}\n`)
    else if (report.findings.length === 0)
      stdout.write(
        `${paint.green('✓')} ${file} ${paint.dim(`${report.date}: ${report.leaves} leaves, ${report.checkpoints} checkpoints`)}\n`,
      )
    else
      for (const { kind, index, detail } of report.findings)
        stdout.write(`${paint.red('✗')} ${file} ${kind}${index === null ? '' : ` ${index}`}: ${detail}\n`)
  }
  if (!json) stderr.write(`${files.length} verified, ${wrong === 0 ? 'none differs' : wrong === 1 ? '1 differs' : `${wrong} differ`}.\n`)
  return wrong === 0 ? exitCodes.ok : exitCodes.failed
}

async function verifyFile(file: string, key: NoteKey): Promise<DayReport> {
  const leaves: StoredLeaf[] = []
  let day: DayLine['day'] | undefined
  try {
    let number = 0
    for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1
      if (text.trim() === '') continue
      const line = parse(file, number, text)
      if ('day' in line) day = line.day
      else leaves.push(leafOf(line))
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`${file} cannot be read: ${messageOf(error)}`, { cause: error })
  }
  if (day?.format !== 'millrace-audit/1')
    throw new Failure(`${file} has no line with the day: append the lines of every part of the export.`)
  const checked = createDayCheck({ hash: sha256, keys: [key], verifySignature: verifyEd25519 }, { ...day, root: fromHex(day.root) })
  for (const leaf of leaves.toSorted((left, right) => left.index - right.index)) checked.add(leaf)
  return checked.finish()
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

function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') }, format: 'jwk' })
  return verifySignature(null, message, key, signature)
}
