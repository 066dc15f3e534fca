import { createHash, createPublicKey, type KeyObject, verify as verifySignature } from 'node:crypto'
import type { JsonValue } from '@millrace/contract'
import {
  type AuditEntry,
  bytesOf,
  differencesFromLog,
  fromHex,
  hasErasureMark,
  hashEntry,
  type NoteKey,
  parseCheckpoint,
  signatureBy,
  type StatedExecution,
  verifyInclusion,
} from '@millrace/contract/transparency'
import { canonicalJson, parseDefinition } from '@millrace/dsl'
import { sha256, verifyEd25519 } from './verify-audit.ts'

/** A key of the file `keys.json` of a pack. */
export interface PackKey {
  readonly purpose: string
  /** SHA-256 of the public key, as hexadecimal digits. */
  readonly keyId: string
  readonly publicKey: string
}

/** The members of a receipt that are compared. */
export interface ReceiptStatement {
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[]
  readonly predicate: StatedExecution & {
    readonly execution: { readonly id: string }
    readonly definition: { readonly digest: string | null }
    readonly error: { readonly digest: string } | null
    readonly audit: {
      readonly date: string
      readonly index: number
      readonly size: number
      readonly path: readonly string[]
      readonly checkpoint: string
      readonly entry: AuditEntry
    } | null
  }
}

/** What the pack has beside a receipt. */
export interface JournalFile {
  readonly id: string
  readonly input: JsonValue
  readonly output: JsonValue
  readonly error: JsonValue
  readonly journal: JsonValue
}

interface Envelope {
  readonly payload: string
  readonly payloadType: string
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[]
}

/** The keys of receipts by their ids. Throws for one whose id is not its own. */
export function receiptKeys(keys: readonly PackKey[]): ReadonlyMap<string, KeyObject> {
  const known = new Map<string, KeyObject>()
  for (const { purpose, keyId, publicKey } of keys) {
    if (purpose !== 'receipt') continue
    const der = Buffer.from(publicKey, 'base64')
    if (createHash('sha256').update(der).digest('hex') !== keyId) throw new Error(`the id of the key ${keyId} belongs to another key`)
    known.set(keyId, createPublicKey({ key: der, format: 'der', type: 'spki' }))
  }
  return known
}

/** The statement of an envelope (DSSE), with the id of the key that signed it; undefined if none of the keys has. */
export function openEnvelope(
  text: string,
  keys: ReadonlyMap<string, KeyObject>,
): { readonly statement: ReceiptStatement; readonly keyId: string } | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A wrong shape throws or fails the signature.
  const { payload, payloadType, signatures } = JSON.parse(text) as Envelope
  const bytes = Buffer.from(payload, 'base64')
  const message = Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${bytes.length} `), bytes])
  const by = signatures.find(({ keyid, sig }) => {
    const key = keys.get(keyid)
    return key !== undefined && verifySignature('sha256', message, key, Buffer.from(sig, 'base64'))
  })
  if (by === undefined) return undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The installation has signed it.
  return { statement: JSON.parse(bytes.toString('utf8')) as ReceiptStatement, keyId: by.keyid }
}

/** What the journal file of an execution has other than its receipt states. */
export function differencesOf({ subject, predicate }: ReceiptStatement, file: JournalFile): readonly string[] {
  const { input, output, error, execution } = predicate
  const stated = `sha256:${subject.find(({ name }) => name === execution.id)?.digest.sha256 ?? ''}`
  const differs = [
    ...(file.id === execution.id ? [] : ['id']),
    ...(digestOf(file.journal) === stated ? [] : ['journal']),
    ...(isOf(input.digest, file.input) ? [] : ['input']),
    ...((output === null ? file.output === null : isOf(output.digest, file.output)) ? [] : ['output']),
    ...((error === null ? file.error === null : isOf(error.digest, file.error)) ? [] : ['error']),
  ]
  return differs.map((member) => `${member} differs from what the receipt states`)
}

/**
 * What a receipt states otherwise than the audit log recorded when the execution ended. An erasure changes the record and is no forgery.
 * @param journal the text of the journal file.
 */
export function changedSinceEnd({ predicate }: ReceiptStatement, journal: string): readonly string[] {
  if (predicate.audit === null || hasErasureMark(journal)) return []
  return differencesFromLog(predicate, predicate.audit.entry)
}

/** Whether a text is the definition that a receipt states by its digest, in whatever syntax and layout it is written. */
export function isDefinition(digest: string, text: string): boolean {
  const { document } = parseDefinition(text)
  return document !== undefined && digest === `sha256:${createHash('sha256').update(canonicalJson(document)).digest('hex')}`
}

/** Why the proof of a receipt does not show that the audit log has the end of its execution; undefined when it does. */
export function proofProblem({ predicate: { audit, execution } }: ReceiptStatement, key: NoteKey): string | undefined {
  if (audit === null) return 'has no proof that the audit log has it'
  const { entry, index, size, path } = audit
  if (entry.target !== execution.id || entry.event !== 'execution.ended') return 'has a proof of another event'
  const checkpoint = parseCheckpoint(audit.checkpoint)
  const signature = checkpoint === undefined ? undefined : signatureBy(sha256, checkpoint, key)
  if (checkpoint === undefined || signature === undefined) return 'has a checkpoint that is not signed by the key'
  if (!verifyEd25519(key.publicKey, new TextEncoder().encode(checkpoint.text), signature))
    return 'has a checkpoint whose signature is wrong'
  const proof = { leaf: hashEntry(sha256, entry, index), index, size, path: path.map(fromHex), root: checkpoint.root }
  return checkpoint.size === size && verifyInclusion(sha256, proof) ? undefined : 'has a proof that does not lead to its checkpoint'
}

/** A value without a form in RFC 8785 was digested as it was stored, which the file cannot show. */
function isOf(digest: string, value: JsonValue): boolean {
  return digest.startsWith('sha256-text:') || digestOf(value) === digest
}

function digestOf(value: JsonValue): string {
  return `sha256:${createHash('sha256').update(bytesOf(value)).digest('hex')}`
}
