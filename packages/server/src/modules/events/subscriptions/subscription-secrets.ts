import type { SecretBox } from '#platform/auth/secret-box.ts'
import type { SealedSecrets } from './subscription-store.ts'

const secretBytes = 32

/** Opens what deliveries are signed with. */
export interface SecretOpener {
  /** The current secret, and that of before while it signs as well; undefined when they were sealed under another key. */
  open(subscriptionId: string, sealed: SealedSecrets): readonly Buffer[] | undefined
}

export interface SubscriptionSecrets extends SecretOpener {
  /** A new secret, and the same sealed for this subscription. */
  mint(subscriptionId: string): { readonly secret: Uint8Array; readonly sealed: Buffer }
}

/** Secrets of subscriptions lie in the database sealed, each under the id of its subscription, so that rows cannot be exchanged. */
export function createSubscriptionSecrets(box: SecretBox, randomBytes: (size: number) => Uint8Array): SubscriptionSecrets {
  const contextOf = (subscriptionId: string) => `event-subscription/${subscriptionId}`
  return {
    open(subscriptionId, { secret, previous }) {
      const current = box.open(secret, contextOf(subscriptionId))
      if (current === undefined) return undefined
      const before = previous === undefined ? undefined : box.open(previous, contextOf(subscriptionId))
      return before === undefined ? [current] : [current, before]
    },
    mint(subscriptionId) {
      const secret = randomBytes(secretBytes)
      return { secret, sealed: box.seal(secret, contextOf(subscriptionId)) }
    },
  }
}
