import { randomUUID } from 'node:crypto'
import {
  apiKeys,
  approvals,
  auth,
  deadLetters,
  events,
  eventSubscriptions,
  executions,
  invitations,
  type Scope,
  workflowKeyScopes,
  workflows,
} from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import { vi } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { areas } from './areas/areas.ts'
import { call, textAt } from './calls.ts'
import type { RegisteredUser } from './registered-user.ts'

/** Two accounts, each with one resource of every kind that has an id. */
export interface TwoAccounts {
  /** An owner who is also an operator: only the tested law may refuse these calls. */
  readonly owner: RegisteredUser
  /** The owner of another account, who is not an operator. */
  readonly other: RegisteredUser
  /** The access token of an auditor of the first account. */
  readonly auditor: string
  /** API keys of the owner with one scope each. */
  readonly keys: Readonly<Record<'account:read' | 'workflows:read', string>>
  /** An API key of the owner that is limited to a workflow without executions. It has every scope that such a key can have. */
  readonly limited: { readonly secret: string; readonly workflowId: string }
  /** Ids of the first account, by their prefix. */
  readonly ownIds: Readonly<Record<string, string>>
  /** Ids of the other account, by their prefix. */
  readonly otherIds: Readonly<Record<string, string>>
}

/** Registers an account over HTTP. */
export async function registerUser(url: string): Promise<RegisteredUser> {
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

export async function createTwoAccounts(url: string, db: Kysely<Rows>): Promise<TwoAccounts> {
  const [owner, other] = [await registerUser(url), await registerUser(url)]
  // The operator code is covered by the tests of registration.
  await sql`update users set is_operator = true where email = ${owner.email}`.execute(db)
  const [accountKey, workflowKey] = [
    await issueKey(url, owner.token, ['account:read']),
    await issueKey(url, owner.token, ['workflows:read']),
  ]
  return {
    owner,
    other,
    auditor: await joinAuditor(url, owner.token),
    keys: { 'account:read': accountKey.secret, 'workflows:read': workflowKey.secret },
    limited: await createLimited(url, owner.token),
    ownIds: await createResources(url, owner, db),
    otherIds: await createResources(url, other, db),
  }
}

async function joinAuditor(url: string, token: string): Promise<string> {
  const email = `auditor-${randomUUID()}@example.com`
  const { body: invitation } = await call(url, invitations.create, { token, body: { email, role: 'auditor' } })
  const password = `staple ${randomUUID()}`
  const { body } = await call(url, invitations.accept, { body: { token: textAt(invitation, 'token'), password } })
  return textAt(body, 'accessToken')
}

async function createLimited(url: string, token: string): Promise<TwoAccounts['limited']> {
  const definition = { ...greetingWorkflow, document: { ...greetingWorkflow.document, name: 'limited' } }
  const workflowId = textAt((await call(url, workflows.create, { token, body: { definition } })).body, 'id')
  const body = { name: 'limited', scopes: workflowKeyScopes, workflowIds: [workflowId] }
  return { secret: textAt((await call(url, apiKeys.create, { token, body })).body, 'secret'), workflowId }
}

/** Creates one resource of every kind that has an id, and returns the ids by prefix. */
async function createResources(url: string, user: RegisteredUser, db: Kysely<Rows>): Promise<Readonly<Record<string, string>>> {
  const { token, jti, userId } = user
  const created = await call(url, workflows.create, { token, body: { definition: greetingWorkflow } })
  const wf = textAt(created.body, 'id')
  const started = await call(url, executions.start, { token, params: { id: wf }, body: {} })
  const key = await issueKey(url, token, ['workflows:read'])
  const ofAreas: Record<string, string> = {}
  for (const area of areas) Object.assign(ofAreas, await area.createResources?.(url, user, db))
  return {
    ...ofAreas,
    ...(await createEventResources(url, token)),
    apr: await createApproval(url, token),
    wf,
    exec: textAt(started.body, 'id'),
    key: key.id,
    ses: jti,
    usr: userId,
  }
}

/** Creates an event, a disabled subscription, and the dead letter of its undelivered event. */
async function createEventResources(url: string, token: string): Promise<Readonly<Record<string, string>>> {
  const subscription = { name: 'law', url: 'http://127.0.0.1:9/', types: ['com.example.law'] }
  const evsub = textAt((await call(url, eventSubscriptions.create, { token, body: subscription })).body, 'id')
  await call(url, events.publish, { token, body: { specversion: '1.0', id: '1', source: '/laws', type: 'com.example.law' } })
  await call(url, eventSubscriptions.update, { token, params: { id: evsub }, body: { enabled: false } })
  const evt = textAt((await call(url, events.list, { token })).body, 'data', '0', 'id')
  const dlt = textAt((await call(url, deadLetters.list, { token })).body, 'data', '0', 'id')
  return { evsub, evt, dlt }
}

/** Creates an open approval. */
async function createApproval(url: string, token: string): Promise<string> {
  const { body } = await call(url, workflows.create, { token, body: { definition: approvalWorkflow } })
  const started = await call(url, executions.start, { token, params: { id: textAt(body, 'id') }, body: {} })
  return firstApproval(url, token, textAt(started.body, 'id'))
}

/** Waits for the first approval of an execution and returns its id. */
export async function firstApproval(url: string, token: string, executionId: string): Promise<string> {
  return vi.waitFor(
    async () => textAt((await call(url, approvals.ofExecution, { token, params: { executionId } })).body, 'data', '0', 'id'),
    { timeout: 60_000 },
  )
}

export const greetingWorkflow = {
  document: { dsl: '1.0.3', namespace: 'laws', name: 'greeting', version: '1.0.0' },
  do: [{ greet: { set: { message: '${ "Hello, " + (.name // "world") }' } } }],
}

/** Sleeps longer than the laws run. */
export const sleepingWorkflow = {
  document: { dsl: '1.0.3', namespace: 'laws', name: 'sleeping', version: '1.0.0' },
  do: [{ sleep: { wait: { hours: 1 } } }],
}

/** Asks the owner and an address outside the account for approval. */
export const approvalWorkflow = {
  document: { dsl: '1.0.3', namespace: 'laws', name: 'asking', version: '1.0.0' },
  do: [
    {
      ask: {
        call: 'approve',
        with: { title: 'Well?', details: '${ . }', approvers: [{ role: 'owner' }, 'outside@example.org'], excludeStarter: false },
      },
    },
  ],
}
