import { Fault } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { Delivery } from '#modules/identity/completion/challenge-store.ts'
import type { CompleteSignIn, SignInResult } from '#modules/identity/completion/complete-sign-in.ts'
import { confirmEmail } from '#modules/identity/reclaim/reclaim-store.ts'
import { digestOf } from '#platform/auth/link-token.ts'
import { type Client, normaliseEmail, type User } from '#modules/identity/model.ts'
import { lockAccount } from '#modules/identity/providers/provider-store.ts'
import { assertPassword } from '#modules/identity/register.ts'
import type { SessionService } from '#modules/identity/session-service.ts'
import { findUser, findUserByEmail, insertPassword, insertUser } from '#modules/identity/store.ts'
import { randomBase62 } from '#platform/auth/base62.ts'
import type { PasswordHasher } from '#platform/auth/password-hasher.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { Mail } from '#platform/mail/mail-job.ts'
import type { SeatOf } from './seat.ts'
import { invitationMail } from './invitation-mail.ts'
import {
  type AccountInvitation,
  countInvitations,
  deleteInvitation,
  findInvitation,
  type Invitation,
  listInvitations,
  readInviter,
  saveInvitation,
  takeInvitation,
} from './invitation-store.ts'

export interface InvitationDeps {
  /** The system pool: an invited person has no account yet. */
  readonly db: Kysely<Rows>
  readonly mail: Mail
  readonly passwords: Pick<PasswordHasher, 'hashNew'>
  readonly sessions: Pick<SessionService, 'prepare'>
  readonly completeSignIn: CompleteSignIn
  /** A Fault `forbidden` where registration is closed. */
  readonly assertJoinable: () => Promise<void>
  readonly seatOf: SeatOf
  /** The page of the link in a mail. */
  readonly page: string
  readonly now: () => Date
  readonly newId: () => string
  readonly randomBytes: (size: number) => Uint8Array
}

export interface Acceptance {
  readonly token: string
  readonly password: string
  readonly name: string | undefined
  readonly delivery: Delivery
}

/** Invitations to join an account. */
export type Invitations = ReturnType<typeof createInvitations>

const validMs = 7 * 24 * 60 * 60 * 1000
const invitationsMax = 100
const tokenLength = 43

export function createInvitations(deps: InvitationDeps) {
  const { db, mail, now, newId, randomBytes } = deps

  async function assertRoom(tx: Kysely<Rows>, accountId: string, email: string, at: Date): Promise<void> {
    if ((await countInvitations(tx, accountId, at)) >= invitationsMax)
      throw new Fault('conflict', { detail: `The account has ${invitationsMax} open invitations, which is the limit. Revoke one first.` })
    // A user of another account shows only to the person who opens the link.
    if ((await findUserByEmail(tx, email))?.accountId === accountId)
      throw new Fault('email_taken', { detail: `A user of the account has the address ${email}.` })
  }

  return {
    async create(
      accountId: string,
      inviterId: string,
      given: Pick<Invitation, 'email' | 'role'>,
    ): Promise<{ readonly invitation: Invitation; readonly token: string | undefined }> {
      await deps.assertJoinable()
      const assertSeat = await deps.seatOf(accountId)
      if (mail.isAvailable) await mail.prepare()
      return await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        await assertSeat(tx)
        const at = now()
        const email = normaliseEmail(given.email)
        await assertRoom(tx, accountId, email, at)
        const inviter = await findUser(tx, accountId, inviterId)
        if (inviter === undefined) throw new Fault('unauthenticated') // Deleted after the credential was checked.
        const token = `mli_${randomBase62(tokenLength, randomBytes)}`
        // The inviter gets the link where no mail server delivers it, so it proves no address then.
        const mailed = mail.isDelivered
        const expiresAt = new Date(at.getTime() + validMs)
        const invitation = { id: newId(), email, role: given.role, mailed, invitedBy: inviterId, createdAt: at, expiresAt }
        await saveInvitation(tx, accountId, invitation, digestOf(token))
        const result = { invitation, token: mailed ? undefined : token }
        if (!mail.isAvailable) return result
        const data = { account: inviter.account.name, inviter: inviter.user.email, url: `${deps.page}#token=${token}` }
        await mail.send(tx, { accountId, to: email, template: invitationMail, locale: inviter.reader.locale, data })
        return result
      })
    },
    list: (tx: Kysely<Rows>, accountId: string, page: { readonly before: string | undefined; readonly limit: number }) =>
      listInvitations(tx, accountId, { ...page, at: now() }),
    /** @returns whom it invited. */
    async revoke(tx: Kysely<Rows>, accountId: string, id: string): Promise<string> {
      const email = await deleteInvitation(tx, accountId, id)
      if (email === undefined) throw new Fault('not_found')
      return email
    },
    /** What a person sees who has the token, and no one else. */
    async inspect(token: string) {
      const invitation = await findInvitation(db, digestOf(token), now())
      const inviter = invitation === undefined ? undefined : await readInviter(db, invitation)
      if (invitation === undefined || inviter === undefined) throw invalid()
      return { invitation, ...inviter }
    },
    accept: (given: Acceptance, client: Client) => accept(deps, given, client),
  }
}

async function accept(deps: InvitationDeps, { token, password, name, delivery }: Acceptance, client: Client): Promise<SignInResult> {
  const { db, passwords, sessions, completeSignIn, now } = deps
  const tokenHash = digestOf(token)
  const found = await findInvitation(db, tokenHash, now())
  if (found === undefined) throw invalid()
  assertPassword(password, [found.email, name ?? ''])
  await deps.assertJoinable()
  const assertSeat = await deps.seatOf(found.accountId)
  const hash = await passwords.hashNew(password)
  await sessions.prepare()
  return await db.transaction().execute(async (tx) => {
    await lockAccount(tx, found.accountId)
    await assertSeat(tx)
    const invitation = await takeInvitation(tx, tokenHash, now())
    if (invitation === undefined) throw invalid()
    const user = await join(tx, deps, invitation, name)
    await insertPassword(tx, user, hash, user.createdAt)
    return await completeSignIn(tx, user, { client, methods: ['pwd'], delivery })
  })
}

async function join(
  tx: Kysely<Rows>,
  { now, newId }: InvitationDeps,
  invitation: AccountInvitation,
  name: string | undefined,
): Promise<User> {
  const { accountId, email, role, mailed } = invitation
  const user: User = { id: newId(), accountId, email, name, role, isOperator: false, createdAt: now() }
  if (!(await insertUser(tx, user)))
    throw new Fault('email_taken', {
      detail: `A user with the address ${email} exists in another account. Delete it there, or use another address.`,
    })
  if (mailed) await confirmEmail(tx, accountId, user.id, user.createdAt)
  return user
}

function invalid(): Fault {
  return new Fault('link_invalid', { detail: 'The invitation was used, revoked or replaced, or has expired. Ask for a new one.' })
}
