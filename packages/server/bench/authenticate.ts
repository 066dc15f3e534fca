// Prints how many callers of requests are recognized a second, by session and by API key, against one query for each and one after another.
import { randomBytes } from 'node:crypto'
import { createAccess, createKeyFinder } from '#modules/access/index.ts'
import { createIdentity, createSessionFinder } from '#modules/identity/index.ts'
import { findActiveSessions } from '#modules/identity/session-store.ts'
import { lockWorkflows } from '#modules/workflows/index.ts'
import { createAccessTokens } from '#platform/auth/access-token.ts'
import { createAuthenticator } from '#platform/auth/authenticator.ts'
import { createPasswordHasher } from '#platform/auth/password-hasher.ts'
import { createRefreshTokens } from '#platform/auth/refresh-token.ts'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import { createSigningKeys } from '#platform/auth/signing-keys.ts'
import { createDatabase, databaseDefaults } from '#platform/db/database.ts'
import { startThrowawayPostgres } from '#platform/db/embedded/throwaway.ts'
import { migrate } from '#platform/db/migrate.ts'
import { readMigrations } from '#compose/migrations.ts'
import { newId } from '#platform/ids.ts'

const roundMs = 2000
const usersMax = 64

async function measure(connections: number, send: (client: number) => Promise<unknown>): Promise<string> {
  const until = performance.now() + roundMs
  const latencies: number[] = []
  const client = async (index: number): Promise<void> => {
    const startedAt = performance.now()
    if (startedAt >= until) return undefined
    await send(index)
    latencies.push(performance.now() - startedAt)
    // The next request of a real client comes in a later turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    return client(index)
  }
  await Promise.all(Array.from({ length: connections }, (_, index) => client(index)))
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2)
  return `${Math.round((latencies.length * 1000) / roundMs)}/s, median ${at(0.5)} ms, p99 ${at(0.99)} ms`
}

const postgres = await startThrowawayPostgres()
const url = postgres.url('millrace')
await migrate({ url, migrations: await readMigrations() })
const database = createDatabase({ ...databaseDefaults, url })
const { system: db, prepared } = database
const now = () => new Date()
const secretKey = randomBytes(32)
const keys = createSigningKeys({ db, now, box: createSecretBox(secretKey, 'signing-keys', randomBytes) })
const access = createAccessTokens({ keys, now, issuer: 'https://millrace.test' })
const identity = createIdentity({
  db,
  tokens: { access, refresh: createRefreshTokens(secretKey, randomBytes) },
  passwords: createPasswordHasher({ cost: { memoryKib: 64, passes: 1, lanes: 1 } }),
  now,
  newId,
  randomBytes,
  report: () => {},
})
const authenticate = createAuthenticator({
  tokens: access,
  findSession: createSessionFinder({ prepared, now }),
  findKeys: createKeyFinder(prepared),
  sessionUses: { record: () => {} },
  keyUses: { record: () => {} },
  now,
})

const sessions: string[] = []
const secrets: string[] = []
const client = { ip: '192.0.2.1', userAgent: undefined }
const unnamed = { name: undefined, accountName: undefined, operatorCode: undefined }
for (let i = 0; i < usersMax; i++) {
  const { user, tokens } = await identity.register({ email: `user${i}@example.com`, password: 'four words make sense', ...unnamed }, client)
  sessions.push(`Bearer ${tokens.accessToken}`)
  const wanted = { name: 'bench', scopes: ['workflows:read', 'executions:run'] as const, workflowIds: undefined, expiresAt: undefined }
  const manager = { userId: user.id, role: user.role }
  const { secret } = await database.account(user.accountId, (tx) =>
    createAccess({ now, newId, randomBytes, lockWorkflows }).issue(tx, user.accountId, manager, wanted),
  )
  secrets.push(`Bearer ${secret}`)
}

const present = (headers: readonly string[]) => (index: number) =>
  authenticate({ authorization: headers[index % usersMax], ip: '192.0.2.1' })
const single = createAuthenticator({
  tokens: access,
  findSession: async (id) => (await findActiveSessions(prepared, [id], { at: now(), usedSince: new Date(0) })).get(id),
  findKeys: async () => [],
  sessionUses: { record: () => {} },
  keyUses: { record: () => {} },
  now,
})
const oneByOne = (index: number) => single({ authorization: sessions[index % usersMax], ip: '192.0.2.1' })
const uncached = createAccessTokens({ keys, now, issuer: 'https://millrace.test', cachedMax: 1 })
const signature = (index: number) => uncached.verify((sessions[index % usersMax] ?? '').slice('Bearer '.length))

await measure(32, present(sessions))
for (const connections of [1, 32, 64]) {
  process.stdout.write(`${connections} connections, session:             ${await measure(connections, present(sessions))}\n`)
  process.stdout.write(`${connections} connections, API key:             ${await measure(connections, present(secrets))}\n`)
  process.stdout.write(`${connections} connections, a query for each:    ${await measure(connections, oneByOne)}\n`)
}
process.stdout.write(`32 connections, signature alone, uncached: ${await measure(32, signature)}\n`)
await database.close()
await postgres.stop()
