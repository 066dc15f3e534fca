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

const uncachedTokens = () => createAccessTokens({ keys, now, issuer })

interface Forgery {
  readonly payload?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  readonly key?: KeyObject
}

/** A token that is valid except for the given parts. */
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

test('a token yields the user and session it was issued to, with and without the cache', async () => {
  const tokens = uncachedTokens()
  const token = await tokens.issue(claims)
  for (let i = 0; i < 2; i++) expect(await tokens.verify(token)).toMatchObject(claims)
  expect(await uncachedTokens().verify(token)).toMatchObject(claims)
})

test('a token with padding, white space or set unused bits is refused', async () => {
  const token = await uncachedTokens().issue(claims)
  const [header = '', payload = '', signature = ''] = token.split('.')
  // 64 bytes are 86 characters, of which the last carries two bits, so 16 different last characters decode to the same bytes.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = alphabet.indexOf(signature.at(-1) ?? '')
  const reencoded = `${signature.slice(0, -1)}${alphabet[last ^ 1]}`
  for (const other of [
    `${token}==`,
    `${token}=`,
    `${header}=.${payload}.${signature}`,
    `${header}.${payload}.${reencoded}`,
    `${token} `,
    `${token}\n`,
  ])
    await expect(uncachedTokens().verify(other), JSON.stringify(other)).rejects.toMatchObject(refused)
})

test('a token built by the forgery helper without a forgery is accepted', async () => {
  expect(await uncachedTokens().verify(await forge({}))).toMatchObject(claims)
})

test('a token expires after fifteen minutes, cached or not', async () => {
  const tokens = uncachedTokens()
  const token = await tokens.issue(claims)
  await tokens.verify(token)
  at += accessTokenSeconds * 1000 - 1
  await expect(tokens.verify(token)).resolves.toMatchObject(claims)
  at += 6000 // The tolerance for clocks that differ is five seconds.
  await expect(tokens.verify(token)).rejects.toMatchObject({ code: 'token_expired' })
  await expect(uncachedTokens().verify(token)).rejects.toMatchObject({ code: 'token_expired' })
})

test('a token of another issuer, audience or type is refused', async () => {
  for (const payload of [{ iss: 'https://other.test' }, { aud: 'https://other.test' }, { aud: [issuer, 'https://other.test'] }])
    await expect(uncachedTokens().verify(await forge({ payload }))).rejects.toMatchObject(refused)
  for (const typ of ['JWT', 'id_token', 'application/at+jwt; x', 'rt+jwt'])
    await expect(uncachedTokens().verify(await forge({ header: { typ } }))).rejects.toMatchObject(refused)
})

test('a token with a missing or an additional claim is refused', async () => {
  for (const name of ['iss', 'aud', 'sub', 'jti', 'iat', 'exp'])
    await expect(uncachedTokens().verify(await forge({ payload: { [name]: undefined } }))).rejects.toMatchObject(refused)
  await expect(uncachedTokens().verify(await forge({ payload: { role: 'owner' } }))).rejects.toMatchObject(refused)
})

test('a token with ids of another kind is refused', async () => {
  for (const payload of [{ sub: toTypeId('ses', claims.userId) }, { jti: toTypeId('usr', claims.sessionId) }, { sub: claims.userId }])
    await expect(uncachedTokens().verify(await forge({ payload }))).rejects.toMatchObject(refused)
})

test('a key inside the token is ignored', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const jwk = publicKey.export({ format: 'jwk' })
  await expect(uncachedTokens().verify(await forge({ key: privateKey }))).rejects.toMatchObject(refused)
  await expect(uncachedTokens().verify(await forge({ key: privateKey, header: { jwk } }))).rejects.toMatchObject(refused)
  await expect(uncachedTokens().verify(await forge({ header: { jku: 'https://evil.test/jwks.json' } }))).rejects.toMatchObject(refused)
  await expect(uncachedTokens().verify(await forge({ header: { kid: 'unknown' } }))).rejects.toMatchObject(refused)
})

test.each(["' or '1'='1", '../../../../dev/null', 'https://evil.test/key', '', '\u0000', '__proto__', 'x'.repeat(129)])(
  'a token whose kid is %j is refused, also with the signature of the installation',
  async (kid) => {
    await expect(uncachedTokens().verify(await forge({ header: { kid } }))).rejects.toMatchObject(refused)
    const { privateKey } = generateKeyPairSync('ed25519')
    await expect(uncachedTokens().verify(await forge({ key: privateKey, header: { kid } }))).rejects.toMatchObject(refused)
  },
)

test('every algorithm but EdDSA is refused, including none and a HMAC with the public key as its secret', async () => {
  const { kid } = await keys.current()
  const { keys: published } = await keys.jwks()
  const [, payload = ''] = (await forge({})).split('.')
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const alg of ['none', 'None', 'NONE', 'HS256', 'RS256', 'ES256']) {
    const signed = `${encode({ alg, typ: 'at+jwt', kid })}.${payload}`
    const mac = createHmac('sha256', Buffer.from(published[0]?.x ?? '', 'base64url'))
      .update(signed)
      .digest('base64url')
    for (const signature of ['', mac]) await expect(uncachedTokens().verify(`${signed}.${signature}`)).rejects.toMatchObject(refused)
  }
})

test('a changed payload or signature is refused even while the right token is cached', async () => {
  const tokens = uncachedTokens()
  const token = await tokens.issue(claims)
  await tokens.verify(token)
  const [head = '', , signature = ''] = token.split('.')
  const other = (await tokens.issue({ ...claims, userId: newId() })).split('.')[1] ?? ''
  await expect(tokens.verify(`${head}.${other}.${signature}`)).rejects.toMatchObject(refused)
  await expect(tokens.verify(token.slice(0, -2))).rejects.toMatchObject(refused)
})

test('a text that is not a token is refused', async () => {
  for (const text of [
    '',
    '.',
    '..',
    'a.b.c',
    'mlr_x',
    'x'.repeat(5000),
    '\u0000',
    `${await uncachedTokens().issue(claims)}.`,
    'e30.e30.e30',
  ])
    await expect(uncachedTokens().verify(text)).rejects.toMatchObject(refused)
})

test('a cached token is refused once its key is deleted', async () => {
  await using other = await createTestDatabase()
  const db = other.database.system
  const box = createSecretBox(randomBytes(32), 'signing-keys', randomBytes)
  const own = createSigningKeys({ db, box, now })
  const tokens = createAccessTokens({ keys: own, now, issuer })
  const token = await tokens.issue(claims)
  await tokens.verify(token)
  await sql`delete from signing_keys`.execute(db)
  await own.find('an unknown key id reloads the keys')
  await expect(tokens.verify(token)).rejects.toMatchObject(refused)
})

test('a database that is unavailable is reported as such, not as an invalid token', async () => {
  const away = new Error('the database is unavailable')
  const tokens = createAccessTokens({ keys: { ...keys, find: () => Promise.reject(away) }, now, issuer })
  await expect(tokens.verify(await tokens.issue(claims))).rejects.toBe(away)
})
