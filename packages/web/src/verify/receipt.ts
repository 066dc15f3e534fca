import type { groups, JsonValue, Reply } from '@millrace/contract'
import {
  type AuditEntry,
  bytesOf,
  fromBase64,
  fromHex,
  hashEntry,
  parseCheckpoint,
  parseVerifierKey,
  signatureBy,
  toHex,
  verifyInclusion,
} from '@millrace/contract/transparency'
import { sha256 } from '#src/verify/sha256.ts'
import { isEcdsa, isEd25519 } from '#src/verify/signatures.ts'

type Receipt = Reply<(typeof groups)['archivist']['receipt']>
export type Envelope = Receipt['envelope']
export type EvidenceKey = Reply<(typeof groups)['audit']['keys']>['keys'][number]

/** What a receipt states, as far as pages show it. */
export interface Statement {
  readonly predicate: {
    readonly execution: { readonly id: string }
    readonly input: { readonly digest: string }
    readonly output: { readonly digest: string } | null
    readonly journal: { readonly entries: number; readonly digest: string }
    readonly replay: { readonly verified: boolean }
    /** Of an execution in which data of a person was erased. */
    readonly erasure?: { readonly remains: 'unchanged' | 'changed' | 'unsealed' }
    readonly audit: Inclusion | null
    readonly issuedAt: string
  }
}

interface Inclusion {
  readonly date: string
  readonly index: number
  readonly size: number
  readonly path: readonly string[]
  readonly checkpoint: string
  readonly entry: AuditEntry
}

export interface ReceiptVerdict {
  readonly statement: Statement
  /** The key of the installation signed exactly this statement. */
  readonly signed: boolean
  /** The end of the execution is in the signed audit log; undefined when the receipt has no proof yet. */
  readonly logged: boolean | undefined
}

/** Checks a receipt on this device: its signature, and the proof that the end of its execution is in the audit log. */
export async function checkReceipt(envelope: Envelope, keys: readonly EvidenceKey[]): Promise<ReceiptVerdict> {
  const payload = fromBase64(envelope.payload) ?? new Uint8Array()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The signature covers the text; a statement of another form fails where its members are read.
  const statement = JSON.parse(new TextDecoder().decode(payload)) as Statement
  const { audit, execution } = statement.predicate
  const signed = await isSigned(envelope, payload, keys)
  return { statement, signed, logged: audit === null ? undefined : await isLogged(audit, execution.id, keys) }
}

/** The digest of a value as receipts state it. */
export function digestOf(value: JsonValue): string {
  return `sha256:${toHex(sha256(bytesOf(value)))}`
}

/** Source: https://github.com/secure-systems-lab/dsse/blob/master/protocol.md */
async function isSigned({ payloadType, signatures }: Envelope, payload: Uint8Array, keys: readonly EvidenceKey[]): Promise<boolean> {
  const head = new TextEncoder().encode(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `)
  const message = Uint8Array.from([...head, ...payload])
  for (const { keyid, sig } of signatures) {
    const key = keys.find(({ purpose, keyId }) => purpose === 'receipt' && keyId === keyid)
    const spki = fromBase64(key?.publicKey ?? '') ?? new Uint8Array()
    if (key === undefined || toHex(sha256(spki)) !== key.keyId) continue
    if (await isEcdsa(spki, message, fromBase64(sig) ?? new Uint8Array())) return true
  }
  return false
}

async function isLogged(
  { entry, index, size, path, checkpoint: note }: Inclusion,
  execution: string,
  keys: readonly EvidenceKey[],
): Promise<boolean> {
  const checkpoint = parseCheckpoint(note)
  if (checkpoint?.size !== size || entry.target !== execution || entry.event !== 'execution.ended') return false
  const leaf = hashEntry(sha256, entry, index)
  if (!verifyInclusion(sha256, { leaf, index, size, path: path.map(fromHex), root: checkpoint.root })) return false
  for (const { verifierKey } of keys) {
    const key = parseVerifierKey(sha256, verifierKey ?? '')
    const signature = key === undefined ? undefined : signatureBy(sha256, checkpoint, key)
    if (key === undefined || signature === undefined) continue
    if (await isEd25519(key.publicKey, new TextEncoder().encode(checkpoint.text), signature)) return true
  }
  return false
}
