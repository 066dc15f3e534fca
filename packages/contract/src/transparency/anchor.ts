import type { CheckDeps } from './check-day.ts'
import { fromBase64, fromHex, type NoteKey, parseCheckpoint, signatureBy, toBase64, toHex } from './checkpoint.ts'
import { type Hash, hashLeaf, isSame, rootByPath, verifyInclusion } from './merkle.ts'

/** The proof that a checkpoint is in the anchor log of its installation, with what others state about that log. Hashes are hexadecimal digits. */
export interface AnchorProof {
  /** Size of the day's log at the checkpoint. */
  readonly size: number
  readonly place: number
  readonly batchSize: number
  /** From the checkpoint to the root of its batch. */
  readonly batchPath: readonly string[]
  readonly index: number
  /** From the leaf of the batch to the root of the note. */
  readonly path: readonly string[]
  /** The signed checkpoint of the anchor log. */
  readonly note: string
  /** Lines of witnesses (C2SP tlog-cosignature). */
  readonly cosignatures: readonly string[]
  /** A time stamp token (RFC 3161) over the note, in base64. */
  readonly timeStamp: string | null
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A checkpoint as a leaf of the tree of its batch. */
export function hashAnchored(hash: Hash, note: string): Uint8Array {
  return hashLeaf(hash, utf8(note))
}

/** The leaf of the anchor log for a batch. */
export function hashAnchor(hash: Hash, batchSize: number, batchRoot: Uint8Array): Uint8Array {
  return hashLeaf(hash, utf8(`millrace-anchor/1\n${batchSize}\n${toBase64(batchRoot)}\n`))
}

export interface AnchorReport {
  /** The first thing that does not match. */
  readonly problem: string | undefined
  /** Names of the given witnesses whose co-signatures are right, with the time that each states. */
  readonly witnesses: readonly { readonly name: string; readonly at: Date }[]
}

/** Checks that a checkpoint of a day is in the anchor log, and the co-signatures of the given witnesses on that log. */
export function checkAnchor(
  { hash, keys, verifySignature }: CheckDeps,
  proof: AnchorProof,
  checkpoints: readonly { readonly size: number; readonly note: string }[],
  witnesses: readonly NoteKey[],
): AnchorReport {
  const fails = (problem: string): AnchorReport => ({ problem, witnesses: [] })
  const anchored = checkpoints.find(({ size }) => size === proof.size)
  if (anchored === undefined) return fails(`The anchor is for a checkpoint at size ${proof.size}, which the day does not have.`)
  const anchor = parseCheckpoint(proof.note)
  if (anchor === undefined || !anchor.origin.endsWith('/audit/anchors')) return fails('The checkpoint of the anchor log cannot be read.')
  const signer = keys.find((key) => {
    const signature = signatureBy(hash, anchor, key)
    return signature !== undefined && verifySignature(key.publicKey, utf8(anchor.text), signature)
  })
  if (signer === undefined) return fails('The checkpoint of the anchor log is not signed by the key.')
  const batchRoot = rootByPath(hash, {
    leaf: hashAnchored(hash, anchored.note),
    index: proof.place,
    size: proof.batchSize,
    path: proof.batchPath.map(fromHex),
  })
  if (batchRoot === undefined) return fails('The checkpoint is not in the batch that was anchored.')
  const leaf = hashAnchor(hash, proof.batchSize, batchRoot)
  if (!verifyInclusion(hash, { leaf, index: proof.index, size: anchor.size, path: proof.path.map(fromHex), root: anchor.root }))
    return fails('The anchor log does not have the checkpoint.')
  const cosigned = witnesses.flatMap((witness) => {
    const at = proof.cosignatures
      .map((line) => cosignedAt(hash, verifySignature, witness, anchor.text, line))
      .find((time) => time !== undefined)
    return at === undefined ? [] : [{ name: witness.name, at }]
  })
  const missing = witnesses.find(({ name }) => !cosigned.some((one) => one.name === name))
  if (missing !== undefined) return { problem: `The anchor log has no valid co-signature of ${missing.name}.`, witnesses: cosigned }
  return { problem: undefined, witnesses: cosigned }
}

/** The type of keys of witnesses. Source: C2SP tlog-cosignature. */
const cosignatureType = 4

/** Reads the key of a witness, `name+id+base64`; undefined if it is not one. */
export function parseWitnessKey(hash: Hash, text: string): NoteKey | undefined {
  const match =
    /^(?<name>[^ +]+)\+(?<id>[0-9a-f]{8})\+(?<data>(?:[A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{2}(?:[A-Za-z0-9+/]{2}|[A-Za-z0-9+/]=|==))$/.exec(
      text.trim(),
    )?.groups
  const bytes = match === undefined ? undefined : fromBase64(match['data'] ?? '')
  if (match === undefined || bytes?.length !== 33 || bytes[0] !== cosignatureType) return undefined
  const key = { name: match['name'] ?? '', publicKey: bytes.slice(1) }
  return toHex(witnessKeyId(hash, key)) === match['id'] ? key : undefined
}

function witnessKeyId(hash: Hash, { name, publicKey }: NoteKey): Uint8Array {
  return hash(Uint8Array.of(...utf8(`${name}\n`), cosignatureType, ...publicKey)).slice(0, 4)
}

/** When a witness says that it has seen a checkpoint; undefined if the line is not a valid co-signature of it. */
export function cosignedAt(
  hash: Hash,
  verifySignature: CheckDeps['verifySignature'],
  witness: NoteKey,
  text: string,
  line: string,
): Date | undefined {
  const match = /^\u2014 (?<name>[^ +]+) (?<data>(?:[A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{2}(?:[A-Za-z0-9+/]{2}|[A-Za-z0-9+/]=|==))$/.exec(
    line,
  )?.groups
  const bytes = match?.['name'] === witness.name ? fromBase64(match['data'] ?? '') : undefined
  if (bytes?.length !== 4 + 8 + 64 || !isSame(bytes.slice(0, 4), witnessKeyId(hash, witness))) return undefined
  const seconds = Number(new DataView(bytes.buffer, bytes.byteOffset + 4, 8).getBigUint64(0))
  const message = utf8(`cosignature/v1\ntime ${seconds}\n${text}`)
  return verifySignature(witness.publicKey, message, bytes.slice(12)) ? new Date(seconds * 1000) : undefined
}
