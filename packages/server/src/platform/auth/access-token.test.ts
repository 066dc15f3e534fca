import { createHmac, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId, toTypeId } from '#platform/ids.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { accessTokenSeconds, createAccessTokens } from './access-token.ts'
import { createSecretBox } from './secret-box.ts'
import { createSigningKeys, type SigningKeys } from './signing-keys.ts'

const start = Date.UTC(2026, 0, 1)
const issuer = 'https://millrace.test'
const claims = { userId: newId(), sessionId: newId() }

let postgres: TestDatabase
let keys: SigningKeys
let at = start
const now = () => new Date(at)

beforeAll(async () => {
  postgres = await createTestDatabase()
  keys = createSigningKeys({ db: postgres.database.system, box: createSecretBox(randomBytes(32), 'signing-keys', randomBytes), now })
})
afterAll(() => postgres.drop())
beforeEach(() => {
  at = start
})

const fresh = () => createAccessTokens({ keys, now, issuer })

interface Forgery {
  readonly payload?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  readonly key?: KeyObject
}

/** A token that is right in everything but what is given. */
async function forge({ payload = {}, header = {}, key }: Forgery): Promise<string> {
  const { kid, privateKey } = await keys.current()
  const seconds = Math.floor(at / 1000)
  const sub = toTypeId('usr', claims.userId)
  const jti = toTypeId('ses', claims.sessionId)
  return await new SignJWT({ iss: issuer, aud: issuer, sub, jti, iat: seconds, exp: seconds + 60, ...payload })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid, ...header })
    .sign(key ?? privateKey)
}

const refused = { code: 'unauthenticated' }

test('a token says who it was issued to, before and after it is remembered', async () => {
  const tokens = fresh()
  const token = await tokens.issue(claims)
  for (let i = 0; i < 2; i++) expect(await tokens.verify(token)).toMatchObject(claims)
  expect(await fresh().verify(token)).toMatchObject(claims)
})

test('a token has one spelling: padding, spaces and bits that say nothing are refused', async () => {
  const token = await fresh().issue(claims)
  const [header = '', payload = '', signature = ''] = token.split('.')
  // 64 bytes are 86 letters, of which the last one carries two bits: 16 letters would say the same.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = alphabet.indexOf(signature.at(-1) ?? '')
  const respelt = `${signature.slice(0, -1)}${alphabet[last ^ 1]}`
  for (const other of [
    `${token}==`,
    `${token}=`,
    `${header}=.${payload}.${signature}`,
    `${header}.${payload}.${respelt}`,
    `${token} `,
    `${token}\n`,
  ])
    await expect(fresh().verify(other), JSON.stringify(other)).rejects.toMatchObject(refused)
})

test('the forgeries below fail for what is forged: with nothing forged, a token is accepted', async () => {
  expect(await fresh().verify(await forge({}))).toMatchObject(claims)
})

test('a token ends after fifteen minutes, remembered or not', async () => {
  const tokens = fresh()
  const token = await tokens.issue(claims)
  await tokens.verify(token)
  at += accessTokenSeconds * 1000 - 1
  await expect(tokens.verify(token)).resolves.toMatchObject(claims)
  at += 6000 // The tolerance for clocks that differ is five seconds.
  await expect(tokens.verify(token)).rejects.toMatchObject({ code: 'token_expired' })
  await expect(fresh().verify(token)).rejects.toMatchObject({ code: 'token_expired' })
})

test('another issuer, audience or purpose is refused', async () => {
  for (const payload of [{ iss: 'https://other.test' }, { aud: 'https://other.test' }, { aud: [issuer, 'https://other.test'] }])
    await expect(fresh().verify(await forge({ payload }))).rejects.toMatchObject(refused)
  for (const typ of ['JWT', 'id_token', 'application/at+jwt; x', 'rt+jwt'])
    await expect(fresh().verify(await forge({ header: { typ } }))).rejects.toMatchObject(refused)
})

test('a token that lacks a claim, or has one that we do not write, is refused', async () => {
  for (const name of ['iss', 'aud', 'sub', 'jti', 'iat', 'exp'])
    await expect(fresh().verify(await forge({ payload: { [name]: undefined } }))).rejects.toMatchObject(refused)
  await expect(fresh().verify(await forge({ payload: { role: 'owner' } }))).rejects.toMatchObject(refused)
})

test('ids of another kind are refused', async () => {
  for (const payload of [{ sub: toTypeId('ses', claims.userId) }, { jti: toTypeId('usr', claims.sessionId) }, { sub: claims.userId }])
    await expect(fresh().verify(await forge({ payload }))).rejects.toMatchObject(refused)
})

test('a key that comes with the token is not believed', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const jwk = publicKey.export({ format: 'jwk' })
  await expect(fresh().verify(await forge({ key: privateKey }))).rejects.toMatchObject(refused)
  await expect(fresh().verify(await forge({ key: privateKey, header: { jwk } }))).rejects.toMatchObject(refused)
  await expect(fresh().verify(await forge({ header: { jku: 'https://evil.test/jwks.json' } }))).rejects.toMatchObject(refused)
  await expect(fresh().verify(await forge({ header: { kid: 'unknown' } }))).rejects.toMatchObject(refused)
})

test('no algorithm but ours is accepted, least of all none, or a HMAC with the public key as its secret', async () => {
  const { kid } = await keys.current()
  const { keys: published } = await keys.jwks()
  const [, payload = ''] = (await forge({})).split('.')
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const alg of ['none', 'None', 'NONE', 'HS256', 'RS256', 'ES256']) {
    const signed = `${encode({ alg, typ: 'at+jwt', kid })}.${payload}`
    const mac = createHmac('sha256', Buffer.from(published[0]?.x ?? '', 'base64url'))
      .update(signed)
      .digest('base64url')
    for (const signature of ['', mac]) await expect(fresh().verify(`${signed}.${signature}`)).rejects.toMatchObject(refused)
  }
})

test('a changed payload or signature is refused, also by who remembers the right token', async () => {
  const tokens = fresh()
  const token = await tokens.issue(claims)
  await tokens.verify(token)
  const [head = '', , signature = ''] = token.split('.')
  const other = (await tokens.issue({ ...claims, userId: newId() })).split('.')[1] ?? ''
  await expect(tokens.verify(`${head}.${other}.${signature}`)).rejects.toMatchObject(refused)
  await expect(tokens.verify(token.slice(0, -2))).rejects.toMatchObject(refused)
})

test('what is no token is refused, whatever its form', async () => {
  for (const text of ['', '.', '..', 'a.b.c', 'mlr_x', 'x'.repeat(5000), '\u0000', `${await fresh().issue(claims)}.`, 'e30.e30.e30'])
    await expect(fresh().verify(text)).rejects.toMatchObject(refused)
})

test('a remembered token is not accepted once its key is gone', async () => {
  await using other = await createTestDatabase()
  const db = other.database.system
  const box = createSecretBox(randomBytes(32), 'signing-keys', randomBytes)
  const own = createSigningKeys({ db, box, now })
  const tokens = createAccessTokens({ keys: own, now, issuer })
  const token = await tokens.issue(claims)
  await tokens.verify(token)
  await sql`delete from signing_keys`.execute(db)
  await own.find('whatever makes it look again')
  await expect(tokens.verify(token)).rejects.toMatchObject(refused)
})

test('a database that is away is no reason to call a token forged', async () => {
  const away = new Error('the database is away')
  const tokens = createAccessTokens({ keys: { ...keys, find: () => Promise.reject(away) }, now, issuer })
  await expect(tokens.verify(await tokens.issue(claims))).rejects.toBe(away)
})
