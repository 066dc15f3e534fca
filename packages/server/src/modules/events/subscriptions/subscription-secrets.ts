import type { SecretBox } from '#platform/auth/secret-box.ts'
import type { SealedSecrets } from './subscription-store.ts'

const secretBytes = 32

/** Opens the sealed secrets that sign deliveries. */
export interface SecretOpener {
  /** The current secret, and the previous one during its overlap; undefined if they were sealed with another key. */
  open(subscriptionId: string, sealed: SealedSecrets): readonly Buffer[] | undefined
}

export interface SubscriptionSecrets extends SecretOpener {
  /** Makes a new secret, in plain and sealed for this subscription. */
  mint(subscriptionId: string): { readonly secret: Uint8Array; readonly sealed: Buffer }
}

/** The database stores secrets sealed, each bound to the id of its subscription, so that they cannot be exchanged between rows. */
export function createSubscriptionSecrets(box: SecretBox, randomBytes: (size: number) => Uint8Array): SubscriptionSecrets {
  const contextOf = (subscriptionId: string) => `event-subscription/${subscriptionId}`
  return {
    open(subscriptionId, { secret, previous }) {
      const current = box.open(secret, contextOf(subscriptionId))
      if (current === undefined) return undefined
      const earlier = previous === undefined ? undefined : box.open(previous, contextOf(subscriptionId))
      return earlier === undefined ? [current] : [current, earlier]
    },
    mint(subscriptionId) {
      const secret = randomBytes(secretBytes)
      return { secret, sealed: box.seal(secret, contextOf(subscriptionId)) }
    },
  }
}
