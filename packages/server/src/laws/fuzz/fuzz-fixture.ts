import { auth, executions, workflows } from '@millrace/contract'
import { sql } from 'kysely'
import { vi } from 'vitest'
import { type Call, call, dig, textAt } from '#laws/calls.ts'
import type { LawServer } from '#laws/operation-laws.ts'
import type { RegisteredUser } from '#laws/registered-user.ts'
import { approvalWorkflow, createTwoAccounts, firstApproval, sleepingWorkflow, registerUser } from '#laws/two-accounts.ts'
import { fromTypeId } from '#platform/ids.ts'
import type { Random } from './random.ts'
import type { Examples } from './read-examples.ts'
import { createSeeds } from './seeds.ts'

/** The credentials that a request may have. */
export type Caller = 'owner' | 'other' | 'key' | 'disposable' | 'forged' | 'anonymous'

type Ids = Readonly<Record<string, readonly [string, ...string[]]>>

/** Accounts with resources, for a limited number of requests, since requests change and delete resources. */
export interface FuzzFixture {
  /** An id of this kind: the owner's with probability `ownShare`, else another account's, an unknown or a malformed one. */
  idOf(prefix: string, random: Random, ownShare: number): string
  /** Whether the owner has resources whose ids have this prefix. */
  hasIds(prefix: string): boolean
  /** The ids of an open approval and its execution, by prefix. */
  readonly approval: Readonly<Record<string, string>>
  /** Parts of a valid request for an operation, if one is known. */
  exampleOf(operationId: string): Call | undefined
  /** Valid texts, by the name of their member or parameter, or by operation and name. */
  readonly texts: Readonly<Record<string, string>>
  readonly cursors: readonly [string, ...string[]]
  credentialOf(caller: Caller): Promise<string | undefined>
  /** Signs the owner in again after a request that ended the owner's sessions. */
  renewOwner(): Promise<void>
}

const unknownSuffixes = [
  '01h455vb4pex5vsknk084sn02q',
  '01jd0000000000000000000000',
  '7zzzzzzzzzzzzzzzzzzzzzzzzz',
  '00000000000000000000000000',
] as const
const brokenIds = [
  'none',
  'wf_',
  'wf_01H455VB4PEX5VSKNK084SN02Q',
  'x'.repeat(1_025),
  'x'.repeat(9_000),
  '%',
  'a/b',
  '..',
  '😀',
  '{id}',
] as const

export async function createFuzzFixture({ url, database }: LawServer, examples: Examples): Promise<FuzzFixture> {
  // Requests guess passwords, so this address is throttled.
  const endThrottling = () => sql`delete from login_throttles`.execute(database.system)
  await endThrottling()
  const accounts = await createTwoAccounts(url, database.system)
  const { owner, other } = accounts
  const waiting = await startSleepingExecutions(url, owner)
  const approval = await startApproval(url, owner)
  let ownerToken = owner.token
  const signIn = async () => (await call(url, auth.login, { body: { email: owner.email, password: owner.password } })).body
  const [spare, rotated] = [await signIn(), await signIn()]
  // The sessions of the callers must stay active.
  const own: Ids = { ...single(accounts.ownIds), ses: [textAt(spare, 'jti')], exec: [accounts.ownIds['exec'] ?? '', ...waiting] }
  const others: Ids = { ...single(accounts.otherIds), ses: [textAt(spare, 'jti').replace(/.$/, '0')] }
  const pickFrom = (ids: Ids, prefix: string, random: Random) => {
    const known = ids[prefix]
    return known === undefined ? `${prefix}_${random.pick(unknownSuffixes)}` : random.pick(known)
  }
  // The recorded ones fit other users.
  const ownExamples: Readonly<Record<string, Call>> = {
    'auth.stepUp': { body: { password: owner.password } },
    'marketplace.moderate': { body: { state: 'removed', reason: 'It is not what it says.' } },
  }
  return {
    approval,
    texts: {
      ...(await createSeeds(url, owner.token, other.token)),
      templateId: 'order-processing',
      document: JSON.stringify(approvalWorkflow),
      refreshToken: textAt(rotated, 'refreshToken'),
      password: owner.password,
      'auth.login.email': owner.email,
      'auth.loginUnprefixed.email': owner.email,
      currentPassword: owner.password,
      token: await createApprovalLink(database.system, approval['apr'] ?? ''),
    },
    exampleOf: (operationId) => ownExamples[operationId] ?? examples.get(operationId.replace(/Unprefixed$/, '')),
    cursors: [await cursorOf(url, owner), await cursorOf(url, other), 'W10', 'eyJhIjoxfQ', 'WyJ4Il0', '%%%', 'x'.repeat(513)],
    hasIds: (prefix) => own[prefix] !== undefined,
    idOf(prefix, random, ownShare) {
      if (random.chance(ownShare)) return pickFrom(own, prefix, random)
      if (random.chance(0.4)) return pickFrom(others, prefix, random)
      return random.chance(0.6) ? `${prefix}_${random.pick(unknownSuffixes)}` : random.pick(brokenIds)
    },
    async credentialOf(caller) {
      switch (caller) {
        case 'owner':
          return ownerToken
        case 'other':
          return other.token
        case 'key':
          return accounts.keys['workflows:read']
        case 'disposable':
          return (await registerUser(url)).token
        case 'forged':
          return `${ownerToken}==`
        case 'anonymous':
          return undefined
      }
    },
    async renewOwner() {
      await endThrottling()
      const token = dig(await signIn(), ['accessToken'])
      if (typeof token === 'string') ownerToken = token
    },
  }
}

function single(ids: Readonly<Record<string, string>>): Ids {
  return Object.fromEntries(Object.entries(ids).map(([prefix, id]) => [prefix, [id]]))
}

/** Starts executions that wait, to be suspended, resumed and cancelled. */
async function startSleepingExecutions(url: string, { token }: RegisteredUser): Promise<readonly string[]> {
  const { body } = await call(url, workflows.create, { token, body: { definition: sleepingWorkflow } })
  const start = () => call(url, executions.start, { token, params: { id: textAt(body, 'id') }, body: {} })
  return [textAt((await start()).body, 'id'), textAt((await start()).body, 'id')]
}

async function startApproval(url: string, { token }: RegisteredUser): Promise<Readonly<Record<string, string>>> {
  const definition = { ...approvalWorkflow, document: { ...approvalWorkflow.document, name: 'approval-again' } }
  const { body } = await call(url, workflows.create, { token, body: { definition } })
  const exec = textAt((await call(url, executions.start, { token, params: { id: textAt(body, 'id') }, body: {} })).body, 'id')
  return { exec, apr: await firstApproval(url, token, exec) }
}

/** Makes a token of an approval link. These tests send no mail, so its digest replaces that of the mail. */
async function createApprovalLink(db: LawServer['database']['system'], approvalId: string): Promise<string> {
  const token = `mla_${approvalId.slice('apr_'.length)}`.padEnd('mla_'.length + 43, 'l')
  await vi.waitFor(
    async () => {
      const { rows } = await sql`
        update approval_mails set token_hash = sha256(${token}::bytea)
        where approval_id = ${fromTypeId('apr', approvalId)} and email = 'outside@example.org' returning id`.execute(db)
      if (rows.length !== 1) throw new Error('the invitation is not recorded yet')
    },
    { timeout: 60_000 },
  )
  return token
}

/** A cursor after the first of at least two workflows. */
async function cursorOf(url: string, { token }: RegisteredUser): Promise<string> {
  for (const name of ['second', 'third']) {
    const definition = { document: { dsl: '1.0.3', namespace: 'fuzz', name, version: '1.0.0' }, do: [{ a: { set: { a: 1 } } }] }
    await call(url, workflows.create, { token, body: { definition } })
  }
  return textAt((await call(url, workflows.list, { token, query: { limit: '1' } })).body, 'nextCursor')
}
