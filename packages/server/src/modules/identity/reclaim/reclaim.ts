import type { Client, User } from '#modules/identity/model.ts'
import { deviceOf } from '#modules/identity/device.ts'
import { voidLinks } from '#modules/identity/mail-links/link-store.ts'
import type { SessionService } from '#modules/identity/session-service.ts'
import { type Executor, findUser } from '#modules/identity/store.ts'
import type { Mail } from '#platform/mail/mail-job.ts'
import { reclaimMail } from './reclaim-mail.ts'
import { confirmEmail, removeWaysIn } from './reclaim-store.ts'

export interface ReclaimDeps {
  readonly mail: Pick<Mail, 'isAvailable' | 'send'>
  readonly sessions: Pick<SessionService, 'signOutEverywhere'>
  /** Revokes every API key of a user, and returns their number. */
  readonly revokeKeys: (tx: Executor, accountId: string, userId: string) => Promise<number>
  readonly now: () => Date
}

/** How the owner of an address has proved it. */
export interface AddressProof {
  readonly client: Client
  /** The password was set by the owner of the address, in this transaction. */
  readonly keepsPassword: boolean
}

export interface Reclaimed {
  readonly sessionsEnded: number
}

/**
 * Confirms the address of a user by a proof that says nothing about who set the password: a link in a mail, or a provider. When it is the first
 * confirmation, another person may have registered the address, so everything that signs in as the user is removed, in the transaction of
 * the proof. Returns `undefined` when the address was confirmed before. Call `mail.prepare()` before the transaction.
 */
export type Reclaim = (tx: Executor, user: User, proof: AddressProof) => Promise<Reclaimed | undefined>

export function createReclaim({ mail, sessions, revokeKeys, now }: ReclaimDeps): Reclaim {
  return async (tx, user, { client, keepsPassword }) => {
    const { accountId, id: userId } = user
    const at = now()
    if (!(await confirmEmail(tx, accountId, userId, at))) return undefined
    const removed = await removeWaysIn(tx, accountId, userId, { keepsPassword })
    await voidLinks(tx, accountId, userId, at)
    const apiKeys = await revokeKeys(tx, accountId, userId)
    // After the removal: a sign-in that began with a removed credential has opened its session by now, or does not open one.
    const sessionsEnded = await sessions.signOutEverywhere(tx, accountId, userId)
    const isNotable = removed.password || removed.phone || removed.identities + removed.passkeys + apiKeys > 0
    const found = isNotable && mail.isAvailable ? await findUser(tx, accountId, userId) : undefined
    if (found !== undefined) {
      const { locale, zone } = found.reader
      const data = { ...removed, apiKeys, at, zone, ip: client.ip, device: deviceOf(client.userAgent) }
      await mail.send(tx, { accountId, to: user.email, template: reclaimMail, locale, data })
    }
    return { sessionsEnded }
  }
}
