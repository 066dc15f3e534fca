import type { AuthenticationMethod, Client, Factor, SignedInUser, User } from '#modules/identity/model.ts'
import { type SessionService, userDeactivated } from '#modules/identity/session-service.ts'
import type { Executor } from '#modules/identity/store.ts'
import { type Delivery, newChallengeToken } from './challenge-store.ts'
import { completeStep, type Guard, noGuard, openGuarded } from './completion-store.ts'
import { summaryOf } from './factor-summary.ts'

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
  readonly sessions: Pick<SessionService, 'make'>
  /** Whether the operator demands a second factor in every account. */
  readonly isDemanded: boolean
  readonly now: () => Date
  readonly newId: () => string
  readonly randomBytes: (size: number) => Uint8Array
}

/** Ends the first step of every way to sign in. Call `sessions.prepare()` before a transaction in which it is called. */
export interface CompleteSignIn {
  (executor: Executor, user: User, step: SignInStep): Promise<SignInResult>
  /** `undefined` when the guard has no row. */
  (executor: Executor, user: User, step: SignInStep, guard: Guard): Promise<SignInResult | undefined>
}

/** For so long a sign-in waits for its second step. */
const challengeMs = 10 * 60 * 1000

export function createCompletion(deps: CompletionDeps): CompleteSignIn {
  const { sessions, isDemanded, now, newId, randomBytes } = deps
  async function complete(executor: Executor, user: User, step: SignInStep): Promise<SignInResult>
  async function complete(executor: Executor, user: User, step: SignInStep, guard: Guard): Promise<SignInResult | undefined>
  async function complete(executor: Executor, user: User, step: SignInStep, guard = noGuard): Promise<SignInResult | undefined> {
    const { client, methods, delivery } = step
    const session = sessions.make(user, client)
    const signedIn = async () => ({ status: 'signed_in' as const, delivery, user, tokens: await session.tokens() })
    if (isMultiFactor(methods)) {
      const opened = await openGuarded(executor, guard, { session, methods })
      if (opened?.isOpened === false) throw userDeactivated()
      return opened === undefined ? undefined : await signedIn()
    }
    const createdAt = now()
    const expiresAt = new Date(createdAt.getTime() + challengeMs)
    const { id: userId, accountId } = user
    const token = newChallengeToken(randomBytes)
    const challenge = { id: newId(), token, accountId, userId, methods, delivery, createdAt, expiresAt }
    const completed = await completeStep(executor, guard, { session, methods, challenge, isDemanded })
    if (completed === undefined) throw userDeactivated() // Deleted meanwhile, with the account.
    const { isGuarded, isOpened, isChallenged } = completed
    if (!isGuarded) return undefined
    const { factors, required, phone } = summaryOf(completed.factors, isDemanded)
    if (isChallenged !== (factors.length > 0 || required)) throw new Error('a sign-in has another step than its factors demand')
    if (isOpened) return await signedIn()
    if (!isChallenged) throw userDeactivated()
    if (factors.length === 0)
      return { status: 'mfa_enrollment_required', user, challenge: token, expiresAt, factors: ['totp'], phoneHint: undefined }
    const usable = factors.filter((factor) => factor !== 'phone' || !methods.includes('sms'))
    const phoneHint = usable.includes('phone') ? phone?.slice(-2) : undefined
    return { status: 'mfa_required', user, challenge: token, expiresAt, factors: usable, phoneHint }
  }

  return complete
}

const knowledge: ReadonlySet<AuthenticationMethod> = new Set(['pwd', 'fed', 'email'])

/** Whether the methods are of two kinds; a passkey proves possession and the unlocking of the device. */
export function isMultiFactor(methods: readonly AuthenticationMethod[]): boolean {
  if (methods.includes('hwk')) return true
  return methods.some((method) => knowledge.has(method)) && methods.some((method) => !knowledge.has(method))
}
