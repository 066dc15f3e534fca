import type { SecretBox } from '#platform/auth/secret-box.ts'
import type { AuditDestination } from './destination.ts'

/** Seals a secret, bound to the id of its destination, so that secrets cannot be exchanged between rows. */
export function sealSecret(box: SecretBox, id: string, secret: Uint8Array): Buffer {
  return box.seal(secret, contextOf(id))
}

/** Undefined without a secret, and if it was sealed with another key. */
export function openSecret(box: SecretBox, { id, secret }: Pick<AuditDestination, 'id' | 'secret'>): Buffer | undefined {
  return secret === undefined ? undefined : box.open(secret, contextOf(id))
}

const contextOf = (id: string) => `audit-destination/${id}`
