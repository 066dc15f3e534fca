import { Fault } from '@millrace/contract'
import { digestOf } from '#platform/auth/link-token.ts'
import type { User } from '#modules/identity/model.ts'
import type { Executor } from '#modules/identity/store.ts'
import { type Credential, recordPasskeyUse, takeChallengeFor } from './passkey-store.ts'
import type { RelyingParty } from './relying-party.ts'

/** What a passkey signed, as the browser gave it; texts are base64url. */
export interface GivenPasskey {
  /** The secret of the request for the challenge. */
  readonly request: string
  readonly credential: {
    readonly id: string
    readonly rawId: string
    readonly type: 'public-key'
    readonly response: {
      readonly clientDataJSON: string
      readonly authenticatorData: string
      readonly signature: string
      readonly userHandle?: string | null | undefined
    }
  }
}

/** Checks what a passkey signed and uses its challenge up; a Fault `code_invalid` when it is wrong. */
export type AssertPasskey = (given: GivenPasskey) => Promise<User>

export function createAssertPasskey(parts: {
  /** The system pool: the user is not known before the passkey is found. */
  readonly db: Executor
  readonly party: RelyingParty | undefined
  readonly now: () => Date
}): AssertPasskey {
  const { db, party, now } = parts
  return async ({ request, credential: given }) => {
    if (party === undefined) throw new Fault('passkeys_unavailable')
    const at = now()
    // Used up before the check, so that one challenge admits one attempt.
    const found = await takeChallengeFor(db, { requestHash: digestOf(request), credentialId: given.id }, at)
    if (found === undefined) throw wrongPasskey()
    const { challenge, user, passkeyId, credential } = found
    const { userHandle } = given.response
    if (typeof userHandle === 'string' && userHandle !== userHandleOf(user.id)) throw wrongPasskey()
    const counter = await counterOf(given, challenge, party, credential)
    if (counter === undefined) throw wrongPasskey()
    await recordPasskeyUse(db, user.accountId, { id: passkeyId, counter }, at)
    return user
  }
}

/** The counter after a valid signature; `undefined` when the signature, its origin or anything else is wrong. */
async function counterOf(
  { id, rawId, type, response: { userHandle, ...signed } }: GivenPasskey['credential'],
  challenge: string,
  party: RelyingParty,
  { credentialId, publicKey, counter }: Credential,
): Promise<number | undefined> {
  const origin = originOf(signed.clientDataJSON)
  if (origin === undefined || !party.isOrigin(origin)) return undefined
  const response = typeof userHandle === 'string' ? { ...signed, userHandle } : signed
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId, type, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: party.id,
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter },
      requireUserVerification: true,
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined // The library throws for whatever does not match.
  }
}

/** The origin that the browser states in signed data; `undefined` when the data is not readable. */
export function originOf(clientDataJSON: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof data === 'object' && data !== null && 'origin' in data && typeof data.origin === 'string' ? data.origin : undefined
  } catch {
    return undefined
  }
}

/** The id of a user for authenticators: the bytes of the uuid, which say nothing about a person. */
export function userHandleOf(userId: string): string {
  return Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
}

export function wrongPasskey(): Fault {
  return new Fault('code_invalid', { detail: 'The passkey is not known here, or its answer does not match the request. Begin again.' })
}
