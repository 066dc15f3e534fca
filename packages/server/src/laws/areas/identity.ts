import { randomInt, randomUUID } from 'node:crypto'
import { auth, authEmail, authFactors, authPasskeys, authPhone, authProfile, authRestore, authUser } from '@millrace/contract'
import { sql } from 'kysely'
import { base32nopad } from '@scure/base'
import { vi } from 'vitest'
import { call, textAt } from '#laws/calls.ts'
import { totpCode } from '#modules/identity/factors/totp.ts'
import { createSoftwarePasskey } from '#testing/software-passkey.ts'
import { linkTo, messageTo, readOutbox } from '#testing/outbox.ts'
import type { AreaFixture, LawArea } from './area.ts'

/** Ways to sign in without an external provider. */
export const identityArea: LawArea = {
  async exercise(fixture) {
    await fixture.perform(authProfile.methods, {})
    await followLinks(fixture)
    await useFactors(fixture)
    await enrollAtSignIn(fixture)
    await usePhone(fixture)
    await usePasskey(fixture)
    await changeOneself(fixture)
    await restoreAccount(fixture)
  },
}

interface Registered {
  readonly email: string
  readonly password: string
  readonly token: string
}

async function registerUser(url: string): Promise<Registered> {
  const body = { email: `identity-${randomUUID()}@example.com`, password: `staple ${randomUUID()}` }
  return { ...body, token: textAt((await call(url, auth.register, { body })).body, 'accessToken') }
}

async function followLinks({ url, perform }: AreaFixture): Promise<void> {
  const { email, token } = await registerUser(url)
  const request = textAt(await perform(authEmail.magicLink, { body: { email } }), 'request')
  await perform(authEmail.passwordForgot, { body: { email } })
  await perform(authEmail.resendVerification, { body: { email } })
  await perform(authEmail.verifyEmail, { token, body: { token: await linkTo(url, email, 'Confirm') } })
  await perform(authEmail.magicLinkVerify, { body: { token: await linkTo(url, email, 'sign-in link'), request } })
  const password = 'another rather unusual phrase 4712'
  await perform(authEmail.passwordReset, { body: { token: await linkTo(url, email, 'Set a new password'), password } })
}

async function usePhone({ url, perform }: AreaFixture): Promise<void> {
  const { token } = await registerUser(url)
  const number = `+4915112${String(randomInt(1_000_000)).padStart(6, '0')}`
  const enrolled = await perform(authPhone.phoneEnroll, { token, body: { number, secondFactor: false } })
  const code = (await messageTo(url, number, 'Millrace')).text.slice(0, 6)
  await perform(authPhone.phoneEnrollVerify, { token, body: { request: textAt(enrolled, 'request'), code } })
  const request = textAt(await perform(authPhone.phoneSend, { body: { number } }), 'request')
  const second = await vi.waitFor(
    async () => {
      const found = (await readOutbox(url)).filter(({ recipient }) => recipient === number)
      if (found.length < 2) throw new Error('no second code yet')
      return found[0]?.text.slice(0, 6)
    },
    { timeout: 60_000, interval: 100 },
  )
  const signedIn = await perform(authPhone.phoneVerify, { body: { request, code: second } })
  await perform(authPhone.phoneDelete, { token: textAt(signedIn, 'accessToken') })
}

async function usePasskey({ url, perform }: AreaFixture): Promise<void> {
  const { token } = await registerUser(url)
  const passkey = createSoftwarePasskey()
  const begun = await perform(authPasskeys.passkeyOptions, { token })
  const credential = passkey.create(textAt(begun, 'options', 'challenge'))
  const body = { request: textAt(begun, 'request'), name: 'Laptop', credential }
  const id = textAt(await perform(authPasskeys.passkeyAdd, { token, body }), 'id')
  await perform(authPasskeys.passkeys, { token })
  const asked = await perform(authPasskeys.passkeySignInOptions, {})
  const given = { request: textAt(asked, 'request'), credential: passkey.get(textAt(asked, 'options', 'challenge')) }
  const signedIn = await perform(authPasskeys.passkeySignIn, { body: { passkey: given } })
  await perform(authPasskeys.passkeyDelete, { token: textAt(signedIn, 'accessToken'), params: { id } })
}

async function changeOneself({ url, perform }: AreaFixture): Promise<void> {
  const { token, password } = await registerUser(url)
  await perform(authUser.updateMe, { token, body: { zone: 'Asia/Riyadh', preferences: { theme: 'dark' } } })
  await perform(authUser.passwordChange, { token, body: { currentPassword: password, password: `another ${password}` } })
}

async function restoreAccount({ url, perform }: AreaFixture): Promise<void> {
  const { email, token } = await registerUser(url)
  await call(url, auth.deleteMe, { token })
  await perform(authRestore.restoreMe, { body: { token: await linkTo(url, email, 'was deleted') } })
}

/** Codes of successive time steps, since each is accepted once; the clock of the server admits three at a time. */
function codesOf(secret: string): (offset: number) => string {
  const key = base32nopad.decode(secret)
  return (offset) => totpCode(key, Math.floor(Date.now() / 30_000) + offset)
}

async function useFactors({ url, perform }: AreaFixture): Promise<void> {
  const { email, password, token } = await registerUser(url)
  const code = codesOf(textAt(await perform(authFactors.mfaSetup, { token }), 'secret'))
  await perform(authFactors.mfaVerifySetup, { token, body: { code: code(0) } })
  await perform(authFactors.mfaStatus, { token })
  const recoveryCode = textAt(await perform(authFactors.mfaRecoveryCodes, { token }), 'recoveryCodes', '0')
  const proved = textAt(await perform(authFactors.stepUp, { token, body: { recoveryCode } }), 'accessToken')
  await perform(authFactors.mfaPolicy, { token: proved, body: { required: true } })
  await perform(authFactors.mfaPolicy, { token: proved, body: { required: false } })
  const challenge = textAt((await call(url, auth.login, { body: { email, password } })).body, 'challenge')
  const signedIn = await perform(authFactors.mfaVerify, { token: challenge, body: { code: code(1) } })
  await perform(authFactors.mfaDelete, { token: textAt(signedIn, 'accessToken') })
}

async function enrollAtSignIn({ url, perform, db }: AreaFixture): Promise<void> {
  const { email, password } = await registerUser(url)
  await sql`update accounts set requires_mfa = true where id = (select account_id from users where email = ${email})`.execute(db)
  const challenge = textAt((await call(url, auth.login, { body: { email, password } })).body, 'challenge')
  const code = codesOf(textAt(await perform(authFactors.mfaEnroll, { token: challenge }), 'secret'))
  await perform(authFactors.mfaEnrollVerify, { token: challenge, body: { code: code(0) } })
}
