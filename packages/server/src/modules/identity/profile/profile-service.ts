import { Fault } from '@millrace/contract'
import type { Kysely } from 'kysely'
import { deviceOf } from '#modules/identity/device.ts'
import type { Caller } from '#modules/identity/factors/factor-service.ts'
import { revokeOtherSessions } from '#modules/identity/factors/factor-store.ts'
import { voidLinks } from '#modules/identity/mail-links/link-store.ts'
import type { Account, User } from '#modules/identity/model.ts'
import { assertPassword } from '#modules/identity/register.ts'
import { securityMail } from '#modules/identity/security-mail.ts'
import type { SessionService } from '#modules/identity/session-service.ts'
import { sessionTimes } from '#modules/identity/session-state.ts'
import { findSignInCandidate, findUser, putPassword } from '#modules/identity/store.ts'
import type { Throttle } from '#modules/identity/throttle.ts'
import type { PasswordHasher } from '#platform/auth/password-hasher.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { Mail } from '#platform/mail/mail-job.ts'
import { mergeProfile, type ProfileChange } from './merge-profile.ts'
import { lockProfile, type Profile, putProfile } from './profile-store.ts'

export interface ProfileDeps {
  /** The system pool, which alone reads hashes of passwords. */
  readonly db: Kysely<Rows>
  readonly mail: Mail
  readonly passwords: PasswordHasher
  readonly sessions: Pick<SessionService, 'limits'>
  readonly throttle: Throttle
  readonly now: () => Date
}

export interface PasswordChange {
  readonly currentPassword: string
  readonly password: string
}

/** What a signed-in user changes about themselves. */
export type Profiles = ReturnType<typeof createProfiles>

export function createProfiles({ db, mail, passwords, sessions, throttle, now }: ProfileDeps) {
  async function candidateOf({ accountId, userId, client: { ip } }: Caller) {
    const found = await findUser(db, accountId, userId)
    const candidate = found === undefined ? undefined : await findSignInCandidate(db, { email: found.user.email, ip })
    if (candidate?.user.id !== userId) throw new Fault('unauthenticated') // Deleted after the credential was checked.
    return candidate
  }

  /** Checks the current password, throttled as a sign-in. */
  async function checkCurrent(caller: Caller, given: string): Promise<User> {
    const { user, hash, isFamiliar } = await candidateOf(caller)
    if (hash === undefined)
      throw new Fault('conflict', { detail: 'You have no password. Set one by a link: POST /api/v1/auth/password/forgot.' })
    const attempt = { email: user.email, ip: caller.client.ip, isFamiliar }
    await throttle.take(attempt)
    if (!(await passwords.verify(hash, given))) throw new Fault('invalid_credentials', { detail: 'The current password is wrong.' })
    await throttle.forgive(attempt)
    return user
  }

  return {
    async update(
      tx: Kysely<Rows>,
      accountId: string,
      userId: string,
      change: ProfileChange,
    ): Promise<{ readonly user: User; readonly account: Account; readonly before: Profile; readonly profile: Profile }> {
      const before = await lockProfile(tx, accountId, userId)
      if (before === undefined) throw new Fault('unauthenticated')
      const profile = mergeProfile(before, change)
      await putProfile(tx, accountId, userId, profile)
      const found = await findUser(tx, accountId, userId)
      if (found === undefined) throw new Fault('unauthenticated')
      return { ...found, before, profile }
    },

    async changePassword(caller: Caller, { currentPassword, password }: PasswordChange): Promise<number> {
      const { accountId, userId, sessionId, client } = caller
      const user = await checkCurrent(caller, currentPassword)
      if (password === currentPassword)
        throw new Fault('password_unacceptable', { errors: [{ pointer: '/password', detail: 'Is the current password.' }] })
      assertPassword(password, [user.email, user.name ?? ''])
      const hash = await passwords.hashNew(password)
      if (mail.isAvailable) await mail.prepare()
      return await db.transaction().execute(async (tx) => {
        const at = now()
        await putPassword(tx, accountId, userId, { hash, changedAt: at })
        await voidLinks(tx, accountId, userId, at)
        const found = await findUser(tx, accountId, userId)
        if (found === undefined) throw new Fault('unauthenticated') // Deleted after the credential was checked.
        const { locale, zone } = found.reader
        const data = { change: 'password_reset', at, zone, ip: client.ip, device: deviceOf(client.userAgent) } as const
        if (mail.isAvailable) await mail.send(tx, { accountId, to: user.email, template: securityMail, locale, data })
        return await revokeOtherSessions(tx, accountId, { userId, sessionId }, sessionTimes(at, sessions.limits))
      })
    },
  }
}
