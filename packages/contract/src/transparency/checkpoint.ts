import type { Hash } from './merkle.ts'

/** What a checkpoint states: the size and the root of one log. Source: C2SP tlog-checkpoint. */
export interface CheckpointBody {
  readonly origin: string
  readonly size: number
  readonly root: Uint8Array
}

/** A key that signs notes. Source: C2SP signed-note. */
export interface NoteKey {
  readonly name: string
  /** The 32 bytes of the Ed25519 public key. */
  readonly publicKey: Uint8Array
}

export interface Checkpoint extends CheckpointBody {
  /** The signed text. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

interface NoteSignature {
  readonly name: string
  readonly keyId: string
  readonly signature: Uint8Array
}

const ed25519 = 1

/** The text that is signed. */
export function checkpointText({ origin, size, root }: CheckpointBody): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`
}

/** A signed note: the text, an empty line, and the signature. */
export function signedNote(hash: Hash, key: NoteKey, text: string, signature: Uint8Array): string {
  return `${text}\n\u2014 ${key.name} ${toBase64(concatenated(fromHex(noteKeyId(hash, key)), signature))}\n`
}

/** The key in the form of C2SP, as verifiers of others take it: `name+id+base64`. */
export function verifierKey(hash: Hash, key: NoteKey): string {
  return `${key.name}+${noteKeyId(hash, key)}+${toBase64(concatenated(Uint8Array.of(ed25519), key.publicKey))}`
}

/** Reads `name+id+base64`; undefined if it is not an Ed25519 key in this form. */
export function parseVerifierKey(hash: Hash, text: string): NoteKey | undefined {
  const [name, id, data, more] = splitKey(text.trim())
  const bytes = data === undefined ? undefined : fromBase64(data)
  if (name === undefined || name === '' || bytes?.length !== 33 || bytes[0] !== ed25519 || more !== undefined) return undefined
  const key = { name, publicKey: bytes.slice(1) }
  return noteKeyId(hash, key) === id ? key : undefined
}

function splitKey(text: string): readonly (string | undefined)[] {
  const first = text.indexOf('+')
  const second = text.indexOf('+', first + 1)
  return first < 0 || second < 0 ? [] : [text.slice(0, first), text.slice(first + 1, second), text.slice(second + 1)]
}

/** The first four bytes of the hash of the name and the key, as hexadecimal digits. */
export function noteKeyId(hash: Hash, { name, publicKey }: NoteKey): string {
  return toHex(hash(concatenated(new TextEncoder().encode(`${name}\n`), Uint8Array.of(ed25519), publicKey)).slice(0, 4))
}

/** Reads a signed checkpoint; undefined if it is not one. It does not check the signatures. */
export function parseCheckpoint(note: string): Checkpoint | undefined {
  const split = note.indexOf('\n\n')
  if (split < 0 || !note.endsWith('\n')) return undefined
  const text = note.slice(0, split + 1)
  const [origin, size, root] = text.split('\n')
  const bytes = root === undefined ? undefined : fromBase64(root)
  if (origin === undefined || origin === '' || size === undefined || !/^(?:0|[1-9]\d{0,14})$/.test(size) || bytes?.length !== 32)
    return undefined
  const signatures = note
    .slice(split + 2, -1)
    .split('\n')
    .map(signatureOf)
  if (!signatures.every((one) => one !== undefined)) return undefined
  return { origin, size: Number(size), root: bytes, text, signatures }
}

function signatureOf(line: string): NoteSignature | undefined {
  const match = /^\u2014 (?<name>[^ +]+) (?<data>[A-Za-z0-9+/]+={0,2})$/.exec(line)?.groups
  const bytes = match === undefined ? undefined : fromBase64(match['data'] ?? '')
  if (match === undefined || bytes === undefined || bytes.length < 5) return undefined
  return { name: match['name'] ?? '', keyId: toHex(bytes.slice(0, 4)), signature: bytes.slice(4) }
}

/** The signature of a key on a checkpoint, if there is one. */
export function signatureBy(hash: Hash, { signatures }: Checkpoint, key: NoteKey): Uint8Array | undefined {
  const keyId = noteKeyId(hash, key)
  return signatures.find((one) => one.name === key.name && one.keyId === keyId)?.signature
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))
}

/** The bytes of a text in base64; undefined if it is not the one form of these bytes. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined
  const bytes = Uint8Array.from(atob(text), (character) => character.codePointAt(0) ?? 0)
  return toBase64(bytes) === text ? bytes : undefined
}

const hexOf = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += hexOf[byte]
  return text
}

export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function concatenated(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}
