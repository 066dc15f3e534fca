import { randomUUID } from 'node:crypto'
import { apiKeys, approvals, auth, deadLetters, events, eventSubscriptions, executions, type Scope, workflows } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import { vi } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { call, textAt } from './calls.ts'

/** An account with its first user signed in. */
export interface Settler {
  readonly email: string
  readonly password: string
  readonly userId: string
  readonly jti: string
  readonly token: string
  readonly refreshToken: string
}

/** Two accounts, and of the second one thing of every kind that has an id. */
export interface World {
  /** An owner who is an operator too: nothing but the law in question stands against these calls. */
  readonly owner: Settler
  /** The owner of another account, and no operator. */
  readonly other: Settler
  /** API keys of the owner with one scope each. */
  readonly keys: Readonly<Record<'account:read' | 'workflows:read', string>>
  /** Ids of the first account, by their prefix; a workflow that is published, and an execution of it. */
  readonly ownIds: Readonly<Record<string, string>>
  /** Ids of the other account, by their prefix. */
  readonly foreignIds: Readonly<Record<string, string>>
}

/** Registers an account by the interface itself. */
export async function settle(url: string): Promise<Settler> {
  const email = `law-${randomUUID()}@example.com`
  const password = `staple ${randomUUID()}`
  const { body } = await call(url, auth.register, { body: { email, password } })
  return {
    email,
    password,
    userId: textAt(body, 'user', 'id'),
    jti: textAt(body, 'jti'),
    token: textAt(body, 'accessToken'),
    refreshToken: textAt(body, 'refreshToken'),
  }
}

export async function issueKey(
  url: string,
  token: string,
  scopes: readonly Scope[],
): Promise<{ readonly id: string; readonly secret: string }> {
  const { body } = await call(url, apiKeys.create, { token, body: { name: 'law', scopes } })
  return { id: textAt(body, 'id'), secret: textAt(body, 'secret') }
}

export async function createWorld(url: string, db: Kysely<Rows>): Promise<World> {
  const [owner, other] = [await settle(url), await settle(url)]
  // The way to become an operator, a code printed at the first start, is for the tests of registration.
  await sql`update users set is_operator = true where email = ${owner.email}`.execute(db)
  const [accountKey, workflowKey] = [
    await issueKey(url, owner.token, ['account:read']),
    await issueKey(url, owner.token, ['workflows:read']),
  ]
  return {
    owner,
    other,
    keys: { 'account:read': accountKey.secret, 'workflows:read': workflowKey.secret },
    ownIds: await createThings(url, owner),
    foreignIds: await createThings(url, other),
  }
}

/** One thing of every kind that has an id, by its prefix. */
async function createThings(url: string, { token, jti, userId }: Settler): Promise<Readonly<Record<string, string>>> {
  const created = await call(url, workflows.create, { token, body: { definition: greeting } })
  const wf = textAt(created.body, 'id')
  const started = await call(url, executions.start, { token, params: { id: wf }, body: {} })
  const key = await issueKey(url, token, ['workflows:read'])
  return {
    ...(await createEventThings(url, token)),
    apr: await createApproval(url, token),
    wf,
    exec: textAt(started.body, 'id'),
    key: key.id,
    ses: jti,
    usr: userId,
  }
}

/** An event, a subscription that is disabled, and the dead letter of what was still to be delivered to it. */
async function createEventThings(url: string, token: string): Promise<Readonly<Record<string, string>>> {
  const subscription = { name: 'law', url: 'http://127.0.0.1:9/', types: ['com.example.law'] }
  const evsub = textAt((await call(url, eventSubscriptions.create, { token, body: subscription })).body, 'id')
  await call(url, events.publish, { token, body: { specversion: '1.0', id: '1', source: '/laws', type: 'com.example.law' } })
  await call(url, eventSubscriptions.update, { token, params: { id: evsub }, body: { enabled: false } })
  const evt = textAt((await call(url, events.list, { token })).body, 'data', '0', 'id')
  const dlt = textAt((await call(url, deadLetters.list, { token })).body, 'data', '0', 'id')
  return { evsub, evt, dlt }
}

/** An approval that is open. */
async function createApproval(url: string, token: string): Promise<string> {
  const { body } = await call(url, workflows.create, { token, body: { definition: asking } })
  const started = await call(url, executions.start, { token, params: { id: textAt(body, 'id') }, body: {} })
  return firstApproval(url, token, textAt(started.body, 'id'))
}

/** The id of the first approval of an execution, once it is asked for. */
export async function firstApproval(url: string, token: string, executionId: string): Promise<string> {
  return vi.waitFor(
    async () => textAt((await call(url, approvals.ofExecution, { token, params: { executionId } })).body, 'data', '0', 'id'),
    { timeout: 10_000 },
  )
}

export const greeting = {
  document: { dsl: '1.0.3', namespace: 'laws', name: 'greeting', version: '1.0.0' },
  do: [{ greet: { set: { message: '${ "Hello, " + (.name // "world") }' } } }],
}

/** Sleeps for longer than the laws take. */
export const napping = {
  document: { dsl: '1.0.3', namespace: 'laws', name: 'napping', version: '1.0.0' },
  do: [{ nap: { wait: { hours: 1 } } }],
}

/** Asks the owner and somebody from outside. */
export const asking = {
  document: { dsl: '1.0.3', namespace: 'laws', name: 'asking', version: '1.0.0' },
  do: [
    { ask: { call: 'approve', with: { title: 'Well?', approvers: [{ role: 'owner' }, 'outside@example.org'], excludeStarter: false } } },
  ],
}
