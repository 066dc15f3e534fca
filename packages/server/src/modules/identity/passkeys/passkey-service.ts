import { Fault } from '@millrace/contract'
import type { Delivery } from '#modules/identity/completion/challenge-store.ts'
import type { CompleteSignIn, SignInResult } from '#modules/identity/completion/complete-sign-in.ts'
import type { Caller, Factors } from '#modules/identity/factors/factor-service.ts'
import { digestOf } from '#platform/auth/link-token.ts'
import type { Client } from '#modules/identity/model.ts'
import type { SessionService } from '#modules/identity/session-service.ts'
import { type Executor, findUser } from '#modules/identity/store.ts'
import { randomBase62 } from '#platform/auth/base62.ts'
import { type AssertPasskey, type GivenPasskey, originOf, userHandleOf, wrongPasskey } from './assert-passkey.ts'
import { type ChallengedUser, insertPasskeyChallenge, takePasskeyChallenge } from './challenge-store.ts'
import { deletePasskey, insertPasskey, listCredentials, listPasskeys, type Passkey } from './passkey-store.ts'
import type { RelyingParty } from './relying-party.ts'

export interface PasskeyDeps {
  readonly db: Executor
  readonly party: RelyingParty | undefined
  readonly factors: Pick<Factors, 'prepare' | 'status' | 'changed'>
  readonly sessions: Pick<SessionService, 'prepare'>
  readonly completeSignIn: CompleteSignIn
  readonly assertPasskey: AssertPasskey
  readonly now: () => Date
  readonly newId: () => string
  readonly randomBytes: (size: number) => Uint8Array
}

/** Options for the browser, with the secret of the request for them. */
export interface PasskeyRequest {
  readonly request: string
  readonly expiresAt: Date
  readonly options: object
}

/** What the browser made for a new passkey; texts are base64url. */
export interface GivenAttestation {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: { readonly clientDataJSON: string; readonly attestationObject: string; readonly transports?: string[] | undefined }
}

const validMs = 5 * 60 * 1000
const challengeBytes = 32
const requestLength = 43
const passkeysMax = 20

/** Adds and removes passkeys, and signs in by them. */
export type Passkeys = ReturnType<typeof createPasskeys>

export function createPasskeys(deps: PasskeyDeps) {
  const { db, factors, sessions, completeSignIn, assertPasskey, now, newId, randomBytes } = deps

  function partyOf(): RelyingParty {
    if (deps.party === undefined) throw new Fault('passkeys_unavailable')
    return deps.party
  }

  async function store(tx: Executor, user: ChallengedUser | undefined, options: (challenge: Uint8Array<ArrayBuffer>) => Promise<object>) {
    const bytes = new Uint8Array(randomBytes(challengeBytes))
    const request = `mpk_${randomBase62(requestLength, randomBytes)}`
    const expiresAt = new Date(now().getTime() + validMs)
    const challenge = Buffer.from(bytes).toString('base64url')
    await insertPasskeyChallenge(tx, { requestHash: digestOf(request), user, challenge, expiresAt })
    return { request, expiresAt, options: await options(bytes) }
  }

  return {
    prepare: () => factors.prepare(),
    list: (tx: Executor, accountId: string, userId: string) => listPasskeys(tx, accountId, userId),

    /** Options for a new passkey of a user. */
    async begin(tx: Executor, { accountId, userId }: Caller): Promise<PasskeyRequest> {
      const party = partyOf()
      const found = await findUser(tx, accountId, userId)
      if (found === undefined) throw new Fault('unauthenticated') // Deleted after the credential was checked.
      const present = await listCredentials(tx, accountId, userId)
      if (present.length >= passkeysMax)
        throw new Fault('conflict', { detail: `You have ${passkeysMax} passkeys. Remove one that you do not use.` })
      const { generateRegistrationOptions } = await webauthn()
      return await store(tx, { accountId, userId }, (challenge) =>
        generateRegistrationOptions({
          rpName: 'Millrace',
          rpID: party.id,
          userID: new Uint8Array(Buffer.from(userHandleOf(userId), 'base64url')),
          userName: found.user.email,
          userDisplayName: found.user.name ?? found.user.email,
          challenge,
          timeout: validMs,
          attestationType: 'none',
          excludeCredentials: present.map(({ credentialId }) => ({ id: credentialId })),
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        }),
      )
    },

    async finish(
      tx: Executor,
      caller: Caller,
      given: { readonly request: string; readonly name: string; readonly credential: GivenAttestation },
    ): Promise<Passkey> {
      const { accountId, userId } = caller
      const party = partyOf()
      const at = now()
      const challenge = await takePasskeyChallenge(tx, digestOf(given.request), { accountId, userId }, at)
      const made = challenge === undefined ? undefined : await credentialOf(given.credential, challenge, party)
      if (made === undefined) throw wrongPasskey()
      const transports = given.credential.response.transports ?? []
      const passkey = await insertPasskey(tx, { ...made, transports, id: newId(), accountId, userId, name: given.name, createdAt: at })
      if (passkey === undefined) throw new Fault('conflict', { detail: 'This passkey has been added already.' })
      await factors.changed(tx, caller, 'passkey_added')
      return passkey
    },

    async remove(tx: Executor, caller: Caller, id: string): Promise<number> {
      const { accountId, userId } = caller
      if (!(await deletePasskey(tx, accountId, userId, id))) throw new Fault('not_found')
      const left = await factors.status(tx, accountId, userId)
      if (left.required && left.factors.length === 0)
        throw new Fault('conflict', { detail: 'The account demands a second factor, and you would have no other one.' })
      return await factors.changed(tx, caller, 'passkey_removed')
    },

    /** Options for a signature of any passkey of this installation. */
    async ask(): Promise<PasskeyRequest> {
      const party = partyOf()
      const { generateAuthenticationOptions } = await webauthn()
      return await store(db, undefined, (challenge) =>
        generateAuthenticationOptions({ rpID: party.id, challenge, timeout: validMs, userVerification: 'required' }),
      )
    },

    async signIn(given: GivenPasskey, delivery: Delivery, client: Client): Promise<SignInResult> {
      const user = await assertPasskey(given)
      await sessions.prepare()
      return await completeSignIn(db, user, { client, methods: ['hwk'], delivery })
    },
  }
}

/** Loaded at first use, since most starts of a process need none of it. */
const webauthn = () => import('@simplewebauthn/server')

/** The credential that an authenticator made; `undefined` when its statement does not match the challenge. */
async function credentialOf(given: GivenAttestation, challenge: string, party: RelyingParty) {
  const { clientDataJSON, attestationObject } = given.response
  const origin = originOf(clientDataJSON)
  if (origin === undefined || !party.isOrigin(origin)) return undefined
  const { verifyRegistrationResponse } = await webauthn()
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...given, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    })
    if (!verified) return undefined
    const { id: credentialId, publicKey, counter } = registrationInfo.credential
    return { credentialId, publicKey, counter, synced: registrationInfo.credentialBackedUp }
  } catch {
    return undefined // The library throws for whatever does not match.
  }
}
