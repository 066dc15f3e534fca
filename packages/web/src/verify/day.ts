import {
  type AuditEntry,
  createDayCheck,
  type DayReport,
  fromHex,
  type NoteKey,
  parseCheckpoint,
  parseVerifierKey,
  signatureBy,
  type StoredDay,
  toHex,
} from '@millrace/contract/transparency'
import type { EvidenceKey } from '#src/verify/receipt.ts'
import { sha256 } from '#src/verify/sha256.ts'
import { isEd25519 } from '#src/verify/signatures.ts'

interface Line {
  readonly day?: Omit<StoredDay, 'root'> & { readonly root: string }
  readonly leaf?: { readonly index: number; readonly hash: string; readonly event: string | null; readonly entry: AuditEntry | null }
}

/**
 * Verifies an exported day of the audit log on this device: every leaf is computed again from its event, and the root is compared with the signed checkpoints.
 * @param lines the lines of all parts of the export
 */
export async function checkDay(lines: readonly string[], keys: readonly EvidenceKey[]): Promise<DayReport> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The export of this server; the hashes check its content.
  const parsed = lines.map((line) => JSON.parse(line) as Line)
  const day = parsed.find((line) => line.day !== undefined)?.day
  if (day === undefined) throw new Error('The export has no line with the day.')
  const noteKeys = keys.flatMap(({ verifierKey }) => parseVerifierKey(sha256, verifierKey ?? '') ?? [])
  const valid = await validSignatures(day, noteKeys)
  const verifySignature = (_key: Uint8Array, _message: Uint8Array, signature: Uint8Array) => valid.has(toHex(signature))
  const check = createDayCheck({ hash: sha256, keys: noteKeys, verifySignature }, { ...day, root: fromHex(day.root) })
  const leaves = parsed.flatMap(({ leaf }) => leaf ?? []).toSorted((left, right) => left.index - right.index)
  for (const { index, hash, event, entry } of leaves) check.add({ index, hash: fromHex(hash), event, entry: entry ?? undefined })
  return check.finish()
}

/** The signatures of the checkpoints that are valid. Web Crypto responds later, and the check of a day does not wait. */
async function validSignatures({ checkpoints }: Pick<StoredDay, 'checkpoints'>, keys: readonly NoteKey[]): Promise<ReadonlySet<string>> {
  const valid = new Set<string>()
  for (const { note } of checkpoints) {
    const checkpoint = parseCheckpoint(note)
    if (checkpoint === undefined) continue
    for (const key of keys) {
      const signature = signatureBy(sha256, checkpoint, key)
      const message = new TextEncoder().encode(checkpoint.text)
      if (signature !== undefined && (await isEd25519(key.publicKey, message, signature))) valid.add(toHex(signature))
    }
  }
  return valid
}
