import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject, verify } from 'node:crypto'
import { type Hash, type NoteKey, verifierKey } from '@millrace/contract/transparency'
import type { Kysely } from 'kysely'
import type { SecretBox } from '#platform/auth/secret-box.ts'
import type { Rows } from '#platform/db/rows.ts'
import { insertKey, type KeyPurpose, type KeyRow, listKeys, lockKeys } from './key-store.ts'

export const sha256: Hash = (bytes) => hash('sha256', bytes, 'buffer')

/** A key of this installation that signs evidence. */
export interface EvidenceKey {
  readonly purpose: KeyPurpose
  readonly name: string
  /** SHA-256 of the public key (SubjectPublicKeyInfo), as hexadecimal digits. */
  readonly keyId: string
  readonly publicKey: KeyObject
  /** Undefined when it was sealed under another secret key: such a key verifies and cannot sign. */
  readonly privateKey: KeyObject | undefined
  readonly createdAt: Date
}

export interface SigningEvidenceKey extends EvidenceKey {
  readonly privateKey: KeyObject
}

export interface EvidenceKeys {
  /** The key that signs; it is made at first use. */
  signer(purpose: KeyPurpose): Promise<SigningEvidenceKey>
  /** Every key that has signed, newest first. */
  all(): Promise<readonly EvidenceKey[]>
}

export interface EvidenceKeysDeps {
  readonly db: Kysely<Rows>
  readonly box: SecretBox
  /** Of the installation, in checkpoints: without spaces and `+`. */
  readonly name: string
  readonly now: () => number
}

export function createEvidenceKeys({ db, box, name, now }: EvidenceKeysDeps): EvidenceKeys {
  const signers = new Map<KeyPurpose, SigningEvidenceKey>()

  async function all(executor: Kysely<Rows> = db): Promise<readonly EvidenceKey[]> {
    return (await listKeys(executor)).map((row) => decoded(row, box))
  }

  async function make(purpose: KeyPurpose): Promise<SigningEvidenceKey> {
    return db.transaction().execute(async (tx) => {
      await lockKeys(tx)
      const existing = (await all(tx)).find((key) => canSign(key, purpose))
      if (existing !== undefined && isSigner(existing)) return existing
      const row = newKey(purpose, name, box, new Date(now()))
      await insertKey(tx, row)
      const made = decoded(row, box)
      if (!isSigner(made)) throw new Error('a key that was just sealed cannot be opened')
      return made
    })
  }

  return {
    all: () => all(),
    async signer(purpose) {
      const known = signers.get(purpose)
      if (known !== undefined) return known
      const found = (await all()).find((key) => canSign(key, purpose))
      const key = found !== undefined && isSigner(found) ? found : await make(purpose)
      signers.set(purpose, key)
      return key
    },
  }
}

function canSign(key: EvidenceKey, purpose: KeyPurpose): boolean {
  return key.purpose === purpose && isSigner(key)
}

function isSigner(key: EvidenceKey): key is SigningEvidenceKey {
  return key.privateKey !== undefined
}

/** The key as C2SP notes name it. */
export function noteKeyOf({ name, publicKey }: Pick<EvidenceKey, 'name' | 'publicKey'>): NoteKey {
  return { name, publicKey: rawEd25519(publicKey) }
}

export function verifierKeyOf(key: EvidenceKey): string {
  return verifierKey(sha256, noteKeyOf(key))
}

/** The last 32 bytes of the SubjectPublicKeyInfo of Ed25519 are the key (RFC 8410). */
function rawEd25519(key: KeyObject): Uint8Array {
  return key.export({ format: 'der', type: 'spki' }).subarray(-32)
}

/** A key object of the 32 bytes of an Ed25519 public key. */
export function ed25519Key(bytes: Uint8Array): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(bytes).toString('base64url') }, format: 'jwk' })
}

function newKey(purpose: KeyPurpose, name: string, box: SecretBox, createdAt: Date): KeyRow {
  const pair = purpose === 'checkpoint' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' })
  const privateKey = pair.privateKey.export({ format: 'der', type: 'pkcs8' })
  return { purpose, name, public_key: publicKey, private_key: box.seal(privateKey, contextOf(purpose, publicKey)), created_at: createdAt }
}

function decoded(row: KeyRow, box: SecretBox): EvidenceKey {
  const opened = box.open(row.private_key, contextOf(row.purpose, row.public_key))
  return {
    purpose: row.purpose,
    name: row.name,
    keyId: hash('sha256', row.public_key),
    publicKey: createPublicKey({ key: row.public_key, format: 'der', type: 'spki' }),
    privateKey: opened === undefined ? undefined : createPrivateKey({ key: opened, format: 'der', type: 'pkcs8' }),
    createdAt: row.created_at,
  }
}

function contextOf(purpose: KeyPurpose, publicKey: Buffer): string {
  return `${purpose}/${publicKey.toString('base64')}`
}

export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return verify(null, message, ed25519Key(publicKey), signature)
}
