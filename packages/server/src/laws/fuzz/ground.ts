import { auth, executions, workflows } from '@millrace/contract'
import { sql } from 'kysely'
import { vi } from 'vitest'
import { call, dig, textAt } from '#laws/calls.ts'
import type { LawServer } from '#laws/operation-laws.ts'
import { asking, createWorld, firstApproval, napping, settle, type Settler } from '#laws/world.ts'
import { fromTypeId } from '#platform/ids.ts'
import type { Random } from './random.ts'

/** Who may be said to send a request. */
export type Caller = 'owner' | 'other' | 'key' | 'disposable' | 'forged' | 'nobody'

type Ids = Readonly<Record<string, readonly [string, ...string[]]>>

/** Accounts and what is theirs, for so many requests as it lasts: requests change and delete things. */
export interface Ground {
  /** An id of this kind: of the owner with this probability, else of another account, of nobody, or none. */
  idOf(prefix: string, random: Random, ownShare: number): string
  /** An approval that is open, with its execution, by their prefixes. */
  readonly approval: Readonly<Record<string, string>>
  /** By the name of the member or parameter that takes such a text. */
  readonly texts: Readonly<Record<string, string>>
  readonly cursors: readonly [string, ...string[]]
  credentialOf(caller: Caller): Promise<string | undefined>
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

export async function createGround({ url, database }: LawServer): Promise<Ground> {
  // The requests before have guessed at passwords, and this address has to wait by now.
  await sql`delete from login_throttles`.execute(database.system)
  const world = await createWorld(url, database.system)
  const { owner, other } = world
  const waiting = await startNapping(url, owner)
  const approval = await askFor(url, owner)
  const signIn = async () => (await call(url, auth.login, { body: { email: owner.email, password: owner.password } })).body
  const [spare, rotated] = [await signIn(), await signIn()]
  // The sessions of the callers themselves are to last.
  const own: Ids = { ...single(world.ownIds), ses: [textAt(spare, 'jti')], exec: [world.ownIds['exec'] ?? '', ...waiting] }
  const foreign: Ids = { ...single(world.foreignIds), ses: [textAt(spare, 'jti').replace(/.$/, '0')] }
  const pickFrom = (ids: Ids, prefix: string, random: Random) => {
    const known = ids[prefix]
    return known === undefined ? `${prefix}_${random.pick(unknownSuffixes)}` : random.pick(known)
  }
  return {
    approval,
    texts: {
      templateId: 'order-processing',
      document: JSON.stringify(asking),
      refreshToken: textAt(rotated, 'refreshToken'),
      token: await linkOf(database.system, approval['apr'] ?? ''),
    },
    cursors: [await cursorOf(url, owner), await cursorOf(url, other), 'W10', 'eyJhIjoxfQ', 'WyJ4Il0', '%%%', 'x'.repeat(513)],
    idOf(prefix, random, ownShare) {
      if (random.chance(ownShare)) return pickFrom(own, prefix, random)
      if (random.chance(0.4)) return pickFrom(foreign, prefix, random)
      return random.chance(0.6) ? `${prefix}_${random.pick(unknownSuffixes)}` : random.pick(brokenIds)
    },
    async credentialOf(caller) {
      switch (caller) {
        case 'owner':
          return owner.token
        case 'other':
          return other.token
        case 'key':
          return world.keys['workflows:read']
        case 'disposable':
          return (await settle(url)).token
        case 'forged':
          return `${owner.token}==`
        case 'nobody':
          return undefined
      }
    },
  }
}

function single(ids: Readonly<Record<string, string>>): Ids {
  return Object.fromEntries(Object.entries(ids).map(([prefix, id]) => [prefix, [id]]))
}

/** Executions that wait, to be suspended, resumed and cancelled. */
async function startNapping(url: string, { token }: Settler): Promise<readonly string[]> {
  const { body } = await call(url, workflows.create, { token, body: { definition: napping } })
  const start = () => call(url, executions.start, { token, params: { id: textAt(body, 'id') }, body: {} })
  return [textAt((await start()).body, 'id'), textAt((await start()).body, 'id')]
}

async function askFor(url: string, { token }: Settler): Promise<Readonly<Record<string, string>>> {
  const definition = { ...asking, document: { ...asking.document, name: 'asking-again' } }
  const { body } = await call(url, workflows.create, { token, body: { definition } })
  const exec = textAt((await call(url, executions.start, { token, params: { id: textAt(body, 'id') }, body: {} })).body, 'id')
  return { exec, apr: await firstApproval(url, token, exec) }
}

/** A token that opens an approval, put where that of a mail would stand: no mail leaves these tests. */
async function linkOf(db: LawServer['database']['system'], approvalId: string): Promise<string> {
  const token = `mla_${approvalId.slice('apr_'.length)}`.padEnd('mla_'.length + 43, 'l')
  await vi.waitFor(
    async () => {
      const { rows } = await sql`
        update approval_mails set token_hash = sha256(${token}::bytea)
        where approval_id = ${fromTypeId('apr', approvalId)} and email = 'outside@example.org' returning id`.execute(db)
      if (rows.length !== 1) throw new Error('nobody has been asked yet')
    },
    { timeout: 10_000 },
  )
  return token
}

/** The place after the first of two or more workflows. */
async function cursorOf(url: string, { token }: Settler): Promise<string> {
  for (const name of ['second', 'third']) {
    const definition = { document: { dsl: '1.0.3', namespace: 'fuzz', name, version: '1.0.0' }, do: [{ a: { set: { a: 1 } } }] }
    await call(url, workflows.create, { token, body: { definition } })
  }
  return textAt((await call(url, workflows.list, { token, query: { limit: '1' } })).body, 'nextCursor')
}

/** Whether an answer is one that an operation gives while nothing is wrong. */
export function isSuccess(body: unknown, status: number): boolean {
  return status === 200 && dig(body, ['code']) === undefined
}
