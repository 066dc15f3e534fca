import { timingSafeEqual } from 'node:crypto'
import { Fault, strongestRole } from '@millrace/contract'
import type { SecretBox } from '#platform/auth/secret-box.ts'
import type { Mail } from '#platform/mail/mail-job.ts'
import type { Client, User } from '#modules/identity/model.ts'
import { hasVerifiedDomain } from '#modules/identity/providers/domain-store.ts'
import type { ProvisionedRole, SignInProvider } from '#modules/identity/providers/model.ts'
import { findProvider, lockAccount } from '#modules/identity/providers/provider-store.ts'
import type { Delivery } from '#modules/identity/completion/challenge-store.ts'
import type { CompleteSignIn, SignInResult } from '#modules/identity/completion/complete-sign-in.ts'
import type { Reclaim } from '#modules/identity/reclaim/reclaim.ts'
import { confirmEmail } from '#modules/identity/reclaim/reclaim-store.ts'
import type { RegistrationGate } from '#modules/identity/registration-gate.ts'
import type { SeatOf } from '#modules/identity/team/seat.ts'
import type { SessionService } from '#modules/identity/session-service.ts'
import { type Executor, findUser, findUserByEmail, insertAccount, insertUser, setProvisionedRole } from '#modules/identity/store.ts'
import { takeByCode } from './attempt-store.ts'
import { digest, openSealed } from './external-sign-in.ts'
import { hasWayIn, identityGuard, insertIdentity, type UsedIdentity, useIdentity } from './identity-store.ts'
import { type Claims, domainOf, type IdentityKey, type Resolved, type SignInAttempt } from './model.ts'

export interface ExchangeDeps {
  readonly db: Executor
  readonly box: SecretBox
  readonly sessions: Pick<SessionService, 'prepare'>
  /** Asks for the second factor where the user or the account demands one. */
  readonly completeSignIn: CompleteSignIn
  readonly gate: Pick<RegistrationGate, 'mode'>
  readonly mail: Pick<Mail, 'prepare'>
  readonly reclaim: Reclaim
  readonly seatOf: SeatOf
  readonly now: () => Date
  readonly newId: () => string
}

/** A code with the proof of the browser: its cookie or verifier. */
export interface GivenCode {
  readonly code: string
  readonly proof: string | undefined
  readonly delivery: Delivery
}

/** Turns a one-time code into a session, or into the challenge of a second factor, in the browser that began. */
export async function exchangeCode(deps: ExchangeDeps, { code, proof, delivery }: GivenCode, client: Client): Promise<SignInResult> {
  const taken = await takeByCode(deps.db, digest(code), deps.now())
  if (taken === undefined || !timingSafeEqual(taken.binding, digest(proof ?? ''))) throw new Fault('sign_in_code_invalid')
  const { attempt } = taken
  const claims: Claims = JSON.parse(openSealed(deps.box, taken.claims, `claims ${attempt.id}`))
  await Promise.all([deps.sessions.prepare(), deps.mail.prepare()])
  const step = { client, methods: ['fed'], delivery } as const
  const known = attempt.userId === undefined ? await findReturning(deps, attempt, claims) : undefined
  if (known !== undefined) {
    const result = await deps.completeSignIn(deps.db, known.user, step, { name: 'identity', sql: identityGuard(known) })
    if (result === undefined) throw new Fault('sign_in_not_permitted', { detail: 'The sign-in was unlinked from the user meanwhile.' })
    return result
  }
  const assertSeat = attempt.accountId === undefined ? undefined : await deps.seatOf(attempt.accountId)
  return deps.db.transaction().execute(async (tx) => {
    const resolved =
      attempt.userId === undefined
        ? await resolve({ ...deps, client, assertSeat }, tx, attempt, claims)
        : await link(deps, tx, attempt, claims)
    return deps.completeSignIn(tx, resolved.user, step)
  })
}

/** The user of a known identity, with the role that the provider gives. Without a transaction, since each statement stands for itself. */
async function findReturning({ db, now }: ExchangeDeps, attempt: SignInAttempt, claims: Claims): Promise<UsedIdentity | undefined> {
  const provider = await providerOf(db, attempt)
  const known = await useIdentity(db, keyOf(attempt, claims), { at: now(), email: claims.email })
  return known === undefined ? undefined : { ...known, user: await withRole(db, known.user, provider, claims) }
}

/** Links the identity to the user who began. */
async function link(deps: ExchangeDeps, tx: Executor, attempt: SignInAttempt, claims: Claims): Promise<Resolved> {
  const { accountId = '', userId = '' } = attempt
  const found = await findUser(tx, accountId, userId)
  if (found === undefined) throw new Fault('sign_in_not_permitted', { detail: 'The user was deleted meanwhile.' })
  const known = await useIdentity(tx, keyOf(attempt, claims), { at: deps.now(), email: claims.email })
  if (known !== undefined && known.user.id !== userId) throw new Fault('identity_in_use')
  if (known === undefined && !(await add(deps, tx, attempt, claims, found.user))) throw new Fault('identity_in_use')
  // The session proves the present credentials, and a provider of the installation the address: everything stays.
  if (attempt.signInProviderId === undefined && claims.emailVerified === true && claims.email === found.user.email)
    await confirmEmail(tx, accountId, userId, deps.now())
  return { user: found.user, isNew: false }
}

interface ResolveDeps extends ExchangeDeps {
  readonly client: Client
  readonly assertSeat: ((tx: Executor) => Promise<void>) | undefined
}

/** Finds the user of an identity, or creates one. */
async function resolve(deps: ResolveDeps, tx: Executor, attempt: SignInAttempt, claims: Claims): Promise<Resolved> {
  const provider = await providerOf(tx, attempt)
  const known = await useIdentity(tx, keyOf(attempt, claims), { at: deps.now(), email: claims.email })
  if (known !== undefined) return { user: await withRole(tx, known.user, provider, claims), isNew: false }
  const email = acceptedAddress(claims)
  const resolved = provider === undefined ? await register(deps, tx, claims, email) : await provision(deps, tx, provider, claims, email)
  // The provider has proved the address, and nothing else that signs in as this user.
  await deps.reclaim(tx, resolved.user, { client: deps.client, keepsPassword: false })
  if (await add(deps, tx, attempt, claims, resolved.user)) return resolved
  throw new Fault('identity_in_use')
}

/** A user whose role follows the provider, if it states roles. An owner stays one, and so does an operator. */
async function withRole(db: Executor, user: User, provider: SignInProvider | undefined, claims: Claims): Promise<User> {
  if (provider?.roleClaim === undefined || user.role === 'owner') return user
  const role = roleOf(provider, claims)
  if (role === user.role) return user
  return { ...user, role: await setProvisionedRole(db, user.accountId, user.id, role) }
}

/** A new account with its owner. A user with the address is never taken over: linking needs a session of that user. */
async function register(deps: ExchangeDeps, tx: Executor, claims: Claims, email: string): Promise<Resolved> {
  if (claims.emailVerified !== true)
    throw new Fault('sign_in_not_permitted', {
      detail: `The provider has not verified the address ${email}. Verify it there, or register with a password.`,
    })
  if ((await deps.gate.mode(tx)) !== 'open')
    throw new Fault('sign_in_not_permitted', {
      detail: `No user has this sign-in, and only invited people can register here. Ask an administrator of your account for an invitation to ${email}, then link the provider in your profile.`,
    })
  const at = deps.now()
  const accountId = deps.newId()
  const { name } = claims
  await insertAccount(tx, { id: accountId, name: name ?? email }, at)
  const user: User = { id: deps.newId(), accountId, email, name, role: 'owner', isOperator: false, createdAt: at }
  if (!(await insertUser(tx, user))) throw notLinked(email)
  return { user, isNew: true }
}

/** A user of the account of the provider, if the account has verified the domain of the address. */
async function provision(deps: ResolveDeps, tx: Executor, provider: SignInProvider, claims: Claims, email: string): Promise<Resolved> {
  const { accountId } = provider
  if (claims.emailVerified === false)
    throw new Fault('sign_in_not_permitted', { detail: `The provider has not verified the address ${email}.` })
  if (!(await hasVerifiedDomain(tx, accountId, domainOf(email))))
    throw new Fault('sign_in_not_permitted', {
      detail: `The account has not verified the domain ${domainOf(email)}. An administrator can add it.`,
    })
  const existing = await findUserByEmail(tx, email)
  if (existing !== undefined) {
    // A user who has no way in yet, such as one that was provisioned, has nothing to prove with.
    const isWaiting =
      existing.accountId === accountId && !existing.isOperator && existing.role !== 'owner' && !(await hasWayIn(tx, accountId, existing.id))
    if (isWaiting) return { user: existing, isNew: false }
    throw notLinked(email)
  }
  if (!provider.provision)
    throw new Fault('sign_in_not_permitted', { detail: 'The account creates no users at sign-in. Ask an administrator for an invitation.' })
  if ((await deps.gate.mode(tx)) === 'closed')
    throw new Fault('sign_in_not_permitted', { detail: 'Registration is closed: the operator of this installation admits no new users.' })
  await lockAccount(tx, accountId)
  await deps.assertSeat?.(tx)
  const user: User = {
    id: deps.newId(),
    accountId,
    email,
    name: claims.name,
    role: roleOf(provider, claims),
    isOperator: false,
    createdAt: deps.now(),
  }
  if (!(await insertUser(tx, user))) throw notLinked(email)
  return { user, isNew: true }
}

/** The strongest role that the groups give, or the default. */
export function roleOf(
  { roles, defaultRole }: Pick<SignInProvider, 'roles' | 'defaultRole'>,
  { groups }: Pick<Claims, 'groups'>,
): ProvisionedRole {
  const given = groups.filter((group) => Object.hasOwn(roles, group)).map((group) => roles[group] ?? defaultRole)
  return strongestRole(given) ?? defaultRole
}

function add(deps: ExchangeDeps, tx: Executor, attempt: SignInAttempt, claims: Claims, user: User): Promise<boolean> {
  const at = deps.now()
  const { id: userId, accountId } = user
  const { email } = claims
  return insertIdentity(tx, { ...keyOf(attempt, claims), id: deps.newId(), accountId, userId, email, createdAt: at, lastUsedAt: at })
}

function keyOf({ provider, signInProviderId }: SignInAttempt, { issuer, subject }: Claims): IdentityKey {
  return { provider, signInProviderId, issuer, subject }
}

async function providerOf(tx: Executor, { accountId, signInProviderId }: SignInAttempt): Promise<SignInProvider | undefined> {
  if (accountId === undefined || signInProviderId === undefined) return undefined
  const provider = await findProvider(tx, accountId, signInProviderId)
  if (provider === undefined) throw new Fault('sign_in_not_permitted', { detail: 'The provider was removed meanwhile.' })
  return provider
}

function acceptedAddress({ email }: Claims): string {
  if (email !== undefined) return email
  throw new Fault('sign_in_not_permitted', {
    detail:
      'The provider gives no e-mail address, or one with characters that could be mistaken for others. An address in ASCII is needed.',
  })
}

function notLinked(email: string): Fault {
  return new Fault('identity_not_linked', {
    detail: `A user with the address ${email} exists. Sign in to that user in the usual way and link the provider there.`,
  })
}
