import type { authPasskeys } from '@millrace/contract'
import type { SessionCookie } from '#modules/identity/completion/session-cookie.ts'
import type { ProveFactorDeps } from '#modules/identity/factors/prove-factor.ts'
import type { HandlersFor } from '#platform/http/index.ts'
import { createAssertPasskey } from './assert-passkey.ts'
import { deleteExpiredPasskeyChallenges } from './challenge-store.ts'
import { passkeyHandlers } from './passkey-handlers.ts'
import { createPasskeys, type PasskeyDeps } from './passkey-service.ts'
import { relyingPartyOf } from './relying-party.ts'

export interface PasskeyParts extends Pick<PasskeyDeps, 'db' | 'now' | 'newId' | 'randomBytes'> {
  readonly publicUrl: string | undefined
}

type SignInParts = Pick<PasskeyDeps, 'factors' | 'sessions' | 'completeSignIn'> & { readonly cookie: SessionCookie }

const rowsMax = 1_000

/** Passkeys: key pairs of devices that sign in. */
export function composePasskeys({ publicUrl, ...parts }: PasskeyParts) {
  const party = relyingPartyOf(publicUrl)
  const assertPasskey = createAssertPasskey({ ...parts, party })
  const prove: ProveFactorDeps['provePasskey'] = async (accountId, userId, given) => {
    const user = await assertPasskey(given)
    return user.accountId === accountId && user.id === userId
  }
  return {
    isAvailable: party !== undefined,
    prove,
    handlers: ({ cookie, ...more }: SignInParts): HandlersFor<typeof authPasskeys> =>
      passkeyHandlers(createPasskeys({ ...parts, ...more, party, assertPasskey }), cookie),
    maintenance: [{ name: 'passkey-challenges', run: () => deleteExpiredPasskeyChallenges(parts.db, parts.now(), rowsMax) }],
  }
}
