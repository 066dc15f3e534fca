import type { AuthenticationMethod, Client, Factor, SignedInUser, User } from '#modules/identity/model.ts'
import type { SessionService } from '#modules/identity/session-service.ts'
import type { Executor } from '#modules/identity/store.ts'
import { type Delivery, insertChallenge, newChallengeToken } from './challenge-store.ts'
import type { FindFactors } from './factor-summary.ts'

/** The result of a sign-in whose first step succeeded: a session, or the second step that is still missing. */
export type SignInResult =
  | ({ readonly status: 'signed_in'; readonly delivery: Delivery } & SignedInUser)
  | {
      readonly status: 'mfa_required' | 'mfa_enrollment_required'
      readonly user: User
      readonly challenge: string
      readonly expiresAt: Date
      /** The factors by which the user can finish; for an enrolment, those that can be enrolled. */
      readonly factors: readonly Factor[]
      /** The last digits of the phone to which a code can be sent. */
      readonly phoneHint: string | undefined
    }

/** How a user has signed in. */
export interface SignInStep {
  readonly client: Client
  /** How the user proved their identity. Two of different kinds, or a passkey, need no further step. */
  readonly methods: readonly AuthenticationMethod[]
  readonly delivery: Delivery
}

export interface CompletionDeps {
  readonly db: Executor
  readonly sessions: Pick<SessionService, 'open'>
  readonly findFactors: FindFactors
  readonly now: () => Date
  readonly newId: () => string
  readonly randomBytes: (size: number) => Uint8Array
}

/** Ends the first step of every way to sign in. Call `sessions.prepare()` before a transaction in which it is called. */
export type CompleteSignIn = (executor: Executor, user: User, step: SignInStep) => Promise<SignInResult>

/** For so long a sign-in waits for its second step. */
const challengeMs = 10 * 60 * 1000

export function createCompletion(deps: CompletionDeps): CompleteSignIn {
  const { sessions, findFactors, now, newId, randomBytes } = deps
  return async (executor, user, { client, methods, delivery }) => {
    if (!isMultiFactor(methods)) {
      const { factors, required, phone } = await findFactors(executor, user.accountId, user.id)
      const usable = factors.filter((factor) => factor !== 'phone' || !methods.includes('sms'))
      const isActive = factors.length > 0
      if (isActive || required) {
        const challenge = newChallengeToken(randomBytes)
        const at = now()
        const expiresAt = new Date(at.getTime() + challengeMs)
        const { id: userId, accountId } = user
        const kind = isActive ? 'verify' : 'enroll'
        await insertChallenge(executor, { id: newId(), accountId, userId, kind, methods, delivery, expiresAt }, challenge, at)
        const phoneHint = usable.includes('phone') ? phone?.slice(-2) : undefined
        if (!isActive) return { status: 'mfa_enrollment_required', user, challenge, expiresAt, factors: ['totp'], phoneHint: undefined }
        return { status: 'mfa_required', user, challenge, expiresAt, factors: usable, phoneHint }
      }
    }
    return { status: 'signed_in', delivery, user, tokens: await sessions.open(executor, user, client, methods) }
  }
}

const knowledge: ReadonlySet<AuthenticationMethod> = new Set(['pwd', 'fed', 'email'])

/** Whether the methods are of two kinds; a passkey proves possession and the unlocking of the device. */
export function isMultiFactor(methods: readonly AuthenticationMethod[]): boolean {
  if (methods.includes('hwk')) return true
  return methods.some((method) => knowledge.has(method)) && methods.some((method) => !knowledge.has(method))
}
