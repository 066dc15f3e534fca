import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { standardError } from '#core/error.ts'
import type { JsonObject } from '#core/json.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'
import { accountId, createTestEngine, type TestEngine } from '#testing/engines.ts'
import { createEngineDatabase, type EngineDatabase } from '#testing/database.ts'
import { acceptOf, completed, headOf, openParts, testDatabase } from '#testing/postgres-parts.ts'
import { definitionOf } from '#testing/run-definition.ts'
import { newUuid } from '#testing/uuid.ts'
import { openVerifier } from './open-verifier.ts'

const ask = (name: string) => `{ ${name}: { call: http, with: { method: get, endpoint: { uri: 'http://t.test/${name}' } } } }`

function verifierOf({ pool }: EngineDatabase, workflow: CompiledWorkflow, secrets: JsonObject = {}) {
  const loaded: string[][] = []
  const secretsRead: (readonly string[])[] = []
  const verifier = openVerifier({
    pool,
    definitions: {
      async load(account, versionId) {
        loaded.push([account, versionId])
        return workflow
      },
    },
    secrets: {
      async read(_account, names) {
        secretsRead.push(names)
        return secrets
      },
    },
    version: 'test',
  })
  return { ...verifier, loaded, secretsRead }
}

/** Two calls, of which the second sees what the first gave. */
const two = `do: [${ask('first')}, { second: { call: http, with: { method: get, endpoint: { uri: 'http://t.test/' }, query: { seen: '\${ .n }' } }, output: { as: '\${ { sum: (.n + 1) } }' } } }]`
const yamls = {
  two,
  pure: `do: [{ a: { set: { n: '\${ .n + 1 }' } } }]`,
  wait: `do: [{ a: { wait: { milliseconds: 5 } } }, { b: { set: { at: '\${ now }' } } }]`,
  fork: `do: [{ a: { fork: { branches: [${ask('x')}, ${ask('y')}, ${ask('z')}] } } }]`,
  caught: `do: [{ a: { try: [${ask('fail')}], catch: { do: [${ask('mend')}] } } }]`,
  failed: `do: [${ask('ok')}, ${ask('fail')}]`,
  raise: `do: [{ a: { raise: { error: { type: 'https://e.test/own', status: 418, title: 'Own' } } } }]`,
  loop: `do: [{ a: { for: { in: '[range(5)]' }, do: [${ask('each')}] } }]`,
  nested: `do: [{ a: { set: { a: 1, b: { c: [1, 2] } } } }]`,
} as const
type Name = keyof typeof yamls
const workflows = Object.fromEntries(Object.entries(yamls).map(([name, yaml]) => [name, definitionOf(yaml)]))

let database: EngineDatabase
let engine: TestEngine
let calls = 0
beforeAll(async () => {
  database = await createEngineDatabase()
  const http: EffectFunction = async ({ arguments: given }) => {
    calls += 1
    if (JSON.stringify(given).includes('/fail')) throw standardError('communication', 'no route')
    return { n: JSON.stringify(given).includes('/first') ? 1 : 2 }
  }
  engine = await createTestEngine(database, { workflows, functions: { http } })
})
afterAll(async () => {
  await engine.engine.close(Date.now() + 3_000)
  await database[Symbol.asyncDispose]()
})

/** Runs a definition to its end. */
async function ran(name: Name) {
  const { id } = await engine.start(name, { n: 1 })
  const end = await engine.outcome(id)
  const workflow = workflows[name]
  if (workflow === undefined) throw new Error(`no workflow ${name}`)
  return { id, end, ...verifierOf(database, workflow) }
}

describe('verification of an unchanged execution', () => {
  test('an execution with effects verifies without difference', async () => {
    const { verify, id, end } = await ran('two')
    expect(end).toMatchObject({ state: 'completed', output: { sum: 3 } })
    expect(await verify(id)).toEqual({ entries: 2, difference: undefined })
  })

  test.each<[what: string, name: Name, state: string, entries: number]>([
    ['without effects', 'pure', 'completed', 0],
    ['with a wait', 'wait', 'completed', 1],
    ['with branches', 'fork', 'completed', 3],
    ['with a failure that was caught', 'caught', 'completed', 2],
    ['with a failure that was not', 'failed', 'faulted', 2],
    ['that raises', 'raise', 'faulted', 0],
    ['that loops', 'loop', 'completed', 5],
  ])('an execution %s verifies without difference', async (_what, name, state, entries) => {
    const { verify, id, end } = await ran(name)
    expect(end?.state).toBe(state)
    expect(await verify(id)).toEqual({ entries, difference: undefined })
  })

  test('verification repeats no effect and writes nothing', async () => {
    const { verify, id } = await ran('two')
    const text = `select e.xmin, j.xmin as entry, e.*, j.* from executions e join journal j on j.execution_id = e.id where e.id = $1`
    const all = async () => (await database.pool.query(text, [id])).rows
    const before = { rows: await all(), calls }
    await verify(id)
    expect({ rows: await all(), calls }).toEqual(before)
  })

  test('verification loads the version that the execution ran, for its account', async () => {
    const { verify, id, loaded, secretsRead } = await ran('two')
    await verify(id)
    const { rows } = await database.pool.query<{ version_id: string }>('select version_id from executions where id = $1', [id])
    expect(loaded).toEqual([[accountId, rows[0]?.version_id]])
    expect(secretsRead).toEqual([])
  })

  test('an unknown execution has no verdict', async () => {
    const { verify } = await ran('pure')
    expect(await verify(newUuid())).toBeUndefined()
  })
})

describe('verification of an execution that was changed in the database', () => {
  const error = `'{"type":"t","title":"x","status":500}'`
  const entry = (seq: number) => `where execution_id = $1 and seq = ${seq}`

  test.each<[what: string, statement: string, part: string, detail: RegExp]>([
    ['the output', `update executions set output = '{"sum":4}' where id = $1`, 'output', /another output/],
    ['a removed output', `update executions set output = null where id = $1`, 'output', /another output/],
    ['the state', `update executions set state = 'faulted', error = ${error}, output = null where id = $1`, 'state', /faulted on record/],
    [
      'a state without an end',
      `update executions set state = 'cancelled' where id = $1`,
      'output',
      /cancelled on record, and has an output/,
    ],
    ['an added error', `update executions set error = ${error} where id = $1`, 'error', /has an error/],
    ['the decisions', `update executions set decisions = 'yes' where id = $1`, 'decisions', /other decisions/],
    ['the value of an effect', `update journal set value = '{"n":7}' ${entry(1)}`, 'output', /another output/],
    ['the success of an effect', `update journal set ok = false, value = ${error} ${entry(1)}`, 'state', /the walk ends faulted/],
    ['the position of an effect', `update journal set position = '/do/0/other' ${entry(0)}`, 'journal', /\/do\/0\/other/],
    ['the decisions before an effect', `update journal set decisions = 'i0' ${entry(1)}`, 'journal', /i0/],
    ['a removed entry', `delete from journal ${entry(0)}`, 'journal', /second/],
    ['a removed last entry', `delete from journal ${entry(1)}`, 'state', /not reached its end/],
    [
      'an added entry',
      `insert into journal select execution_id, 2, account_id, '/do/9/more', phase, kind, ok, value, decisions, started_at, ended_at from journal ${entry(1)}`,
      'journal',
      /\/do\/9\/more/,
    ],
  ])('verification finds a change: %s', async (_what, statement, part, detail) => {
    const { verify, id } = await ran('two')
    await database.pool.query(statement, [id])
    const verdict = await verify(id)
    expect(verdict?.difference).toMatchObject({ part, detail: expect.stringMatching(detail) })
  })

  test('verification finds a changed input that affects the output', async () => {
    const { verify, id } = await ran('pure')
    await database.pool.query(`update executions set input = '{"n":41}' where id = $1`, [id])
    expect((await verify(id))?.difference).toEqual({
      part: 'output',
      detail: 'the walk gives another output',
      recorded: { n: 2 },
      walked: { n: 42 },
    })
  })

  test('verification finds a changed error', async () => {
    const { verify, id } = await ran('raise')
    await database.pool.query(`update executions set error = jsonb_set(error::jsonb, '{status}', '500')::json where id = $1`, [id])
    expect((await verify(id))?.difference).toMatchObject({ part: 'error', recorded: { status: 500 }, walked: { status: 418 } })
  })

  test('verification ignores the formatting of JSON', async () => {
    const { verify, id } = await ran('nested')
    await database.pool.query(`update executions set output = '{ "b" : {"c":[1,2.0]}, "a":1e0 }' where id = $1`, [id])
    expect((await verify(id))?.difference).toBeUndefined()
  })
})

test('verification masks secrets before it compares, and reports no secret', async () => {
  const { journal } = await openParts(database)
  const workflow = definitionOf(`use: { secrets: [token] }\ndo: [{ a: { set: { header: '\${ "Bearer " + $secrets.token }' } } }]`)
  const honest = acceptOf(headOf(), true, { progress: completed({ header: 'Bearer ***' }) })
  const forged = acceptOf(headOf(), true, { progress: completed({ header: 'Bearer hush' }) })
  await Promise.all([journal.write(honest), journal.write(forged)])
  const { verify, secretsRead } = verifierOf(database, workflow, { token: 'hush-hush' })
  expect((await verify(honest.executionId))?.difference).toBeUndefined()
  const difference = (await verify(forged.executionId))?.difference
  expect(difference).toMatchObject({ part: 'output', walked: { header: 'Bearer ***' } })
  expect(JSON.stringify(difference)).not.toContain('hush-hush')
  expect(secretsRead).toEqual([['token'], ['token']])
})

describe('the list of ended executions', () => {
  async function filled(states: readonly ('completed' | 'running' | 'pending')[]) {
    const own = await testDatabase()
    const { journal } = await openParts(own)
    const heads = states.map(() => headOf())
    const writes = heads.map((head, index) =>
      acceptOf(head, states[index] !== 'pending', states[index] === 'completed' ? { progress: completed(null) } : {}),
    )
    await Promise.all(writes.map((write) => journal.write(write)))
    return { database: own, ids: heads.map(({ id }) => id), ...verifierOf(own, definitionOf('do: [{ a: { set: { n: 1 } } }]')) }
  }

  test('the list of ended executions has them by id, without unfinished ones', async () => {
    const { ended, ids } = await filled(['completed', 'running', 'completed', 'pending', 'completed'])
    expect(await ended(undefined, 10)).toEqual(ids.filter((_id, index) => index % 2 === 0).toSorted())
  })

  test('the list of ended executions has faulted and cancelled ones', async () => {
    const { ended, ids, database: own } = await filled(['completed', 'completed', 'completed'])
    await own.pool.query(`update executions set state = 'faulted' where id = $1`, [ids[0]])
    await own.pool.query(`update executions set state = 'cancelled' where id = $1`, [ids[1]])
    expect(await ended(undefined, 10)).toEqual(ids.toSorted())
  })

  test('the list of ended executions has each of them once over all its pages', async () => {
    const { ended, ids } = await filled(Array.from({ length: 7 }, () => 'completed' as const))
    const pages: (readonly string[])[] = []
    let after: string | undefined
    for (let page = await ended(after, 3); page.length > 0; page = await ended(after, 3)) {
      pages.push(page)
      after = page.at(-1)
    }
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1])
    expect(pages.flat()).toEqual(ids.toSorted())
  })
})
