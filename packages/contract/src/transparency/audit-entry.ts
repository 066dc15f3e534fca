import canonicalize from 'canonicalize'
import type { JsonValue } from '#src/json.ts'
import { toHex } from './checkpoint.ts'
import { type Hash, hashLeaf } from './merkle.ts'

/** One event of the audit log with everything that its leaf covers. */
export interface AuditEntry {
  /** UUID. */
  readonly id: string
  /** UUID; null in the log of the installation. */
  readonly account: string | null
  /** RFC 3339 in UTC, with microseconds. */
  readonly at: string
  readonly actor: string
  readonly event: string
  readonly target: string | null
  readonly requestId: string | null
  readonly ip: string | null
  readonly details: JsonValue
  /** Random bytes as hexadecimal digits: without them the address and the details cannot be guessed from the leaf. */
  readonly salt: string
  /** SHA-256 of address, details and salt as hexadecimal digits, in their place once they are erased. */
  readonly commitment?: string
}

/** What the first leaf of a day states about the day before. */
export interface DayLink {
  readonly date: string
  readonly size: number
  /** The root as hexadecimal digits. */
  readonly root: string
}

/**
 * The hash of the leaf of an event. The address and the details, which may be personal data, are in it only as a salted commitment: once
 * they and the salt are erased, the leaf still verifies and reveals nothing.
 */
export function hashEntry(hash: Hash, entry: AuditEntry, index: number): Uint8Array {
  const { id, account, at, actor, event, target, requestId } = entry
  const commitment = committed(hash, entry)
  return hashLeaf(hash, bytesOf({ account, actor, at, commitment, event, id, index, requestId, target, version: 1 }))
}

/**
 * A commitment stands for an address, details and a salt that are erased. Beside any content it would vouch for what was written there instead: both are
 * hashed then, which matches no leaf.
 */
function committed(hash: Hash, entry: AuditEntry): string {
  const { commitment, details, ip, salt } = entry
  if (commitment === undefined) return commitmentOf(hash, entry)
  return isErased(entry) ? commitment : toHex(hash(bytesOf({ commitment, details, ip, salt })))
}

/** Whether the address and the details of an event were erased, so that only their commitment is left. */
export function isErased({ commitment, details, ip, salt }: AuditEntry): boolean {
  return commitment !== undefined && ip === null && salt === '' && canonicalize(details) === '{}'
}

/** The commitment to the address and the details of an event, as hexadecimal digits. */
export function commitmentOf(hash: Hash, { ip, details, salt }: Pick<AuditEntry, 'ip' | 'details' | 'salt'>): string {
  return toHex(hash(bytesOf({ details, ip, salt })))
}

/** The hash of the first leaf of a day. */
export function hashFirstLeaf(hash: Hash, log: string, date: string, previous: DayLink | null): Uint8Array {
  return hashLeaf(hash, bytesOf({ date, log, previous: previous === null ? null : { ...previous }, version: 1 }))
}

/** The bytes of a value in the one form of RFC 8785. */
export function bytesOf(value: JsonValue): Uint8Array {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('The value is not JSON.')
  return new TextEncoder().encode(text)
}
