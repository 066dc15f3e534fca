import { afterAll, beforeAll, expect, test } from 'vitest'
import { executionStates, executionTransitions, initialStates, isTerminal, mayFollow, type ExecutionState } from '#core/execution-state.ts'
import type { Progress } from '#durable/ports/journal.ts'
import { signalExecutions } from '#postgres/claims/signal-executions.ts'
import { createEngineDatabase, type EngineDatabase } from '#testing/database.ts'
import { acceptOf, completed, headOf, openParts, type PostgresParts, writeOf } from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'
import { FencedError } from './sql/pg-errors.ts'

interface Transition {
  readonly from: ExecutionState
  readonly to: ExecutionState
}

let db: EngineDatabase
let parts: PostgresParts

/** The database records every change of an execution's state, whichever statement makes it. */
beforeAll(async () => {
  db = await createEngineDatabase()
  parts = await openParts(db, { trialMs: 0 })
  await db.pool.query(`create table transitions (n bigint generated always as identity, id uuid, "from" text, "to" text);
    create function record_transition() returns trigger language plpgsql as $$
    begin
      insert into transitions (id, "from", "to") values (new.id, old.state, new.state);
      return null;
    end $$;
    create trigger record_transition after update on executions for each row when (old.state <> new.state) execute function record_transition()`)
})
afterAll(() => db[Symbol.asyncDispose]())

async function transitionsOf(id: string): Promise<readonly Transition[]> {
  const { rows } = await db.pool.query<Transition>(`select "from", "to" from transitions where id = $1 order by n`, [id])
  return rows
}

const head = (id: string) => headOf({ id })
const flush = (progress: Progress) => async (id: string) => {
  // An execution that is not running has no claim.
  await parts.journal.write(writeOf(head(id), { progress })).catch((error: unknown) => {
    if (!(error instanceof FencedError)) throw error
  })
}
const ended = (state: 'completed' | 'faulted' | 'cancelled') => flush({ ...completed(null), state })
const deadProcess = newUuid()

interface Statement {
  readonly name: string
  readonly run: (id: string, accountId: string) => Promise<unknown>
  /** Of a running execution; this process unless given. */
  readonly claimedBy?: string
  readonly crashCount?: number
}

const statements: readonly Statement[] = [
  {
    name: 'claim',
    async run(executionId, accountId) {
      await parts.jobs.send(db.pool, [{ executionId, accountId, notBeforeMs: undefined }])
      const claimed = await parts.store.claim(10)
      if (claimed.length > 0) await parts.jobs.done(claimed.map(({ jobId }) => jobId))
    },
  },
  { name: 'flush waiting', run: flush({ state: 'waiting', wakeAtMs: undefined }) },
  { name: 'flush pending', run: flush({ state: 'pending' }) },
  { name: 'flush suspended', run: flush({ state: 'suspended' }) },
  { name: 'flush completed', run: ended('completed') },
  { name: 'flush faulted', run: ended('faulted') },
  { name: 'flush cancelled', run: ended('cancelled') },
  { name: 'release', run: (id) => parts.store.release([id]) },
  { name: 'abandon claims', run: (id) => parts.store.abandonClaims([id]) },
  { name: 'suspend', run: (id, accountId) => parts.store.suspend(accountId, id) },
  { name: 'resume', run: (id, accountId) => parts.store.resume(accountId, id) },
  { name: 'cancel', run: (id, accountId) => parts.store.cancel(accountId, id) },
  { name: 'signal to wake', run: (id) => signalExecutions(db.pool, { wake: [id], cancel: [], signalledBy: newUuid() }) },
  { name: 'signal to cancel', run: (id) => signalExecutions(db.pool, { wake: [], cancel: [id], signalledBy: newUuid() }) },
  { name: 'recover', run: () => parts.store.recover(), claimedBy: deadProcess },
  { name: 'recover as a dead letter', run: () => parts.store.recover(), claimedBy: deadProcess, crashCount: 11 },
]

const requests = ['nothing', 'cancel', 'suspend', 'wake'] as const

async function insertExecution(state: ExecutionState, request: (typeof requests)[number], { claimedBy, crashCount = 0 }: Statement) {
  const { id, accountId } = headOf()
  await db.pool.query(
    `insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, created_at, started_at, ended_at, claimed_by,
       wake_at, cancel_requested_at, suspend_requested_at, signalled_at, crash_count)
     select $1, $2, $1, $1, $3, 'manual', 'user:test', '{}', now(), now(), case when $4 then now() end, $5,
       case when $3 = 'waiting' then now() - interval '1 hour' end, case when $6 = 'cancel' then now() end,
       case when $6 = 'suspend' or $3 = 'suspended' then now() end, case when $6 <> 'nothing' then now() end, $7`,
    [id, accountId, state, isTerminal(state), state === 'running' ? (claimedBy ?? parts.identity.id()) : null, request, crashCount],
  )
  return { id, accountId }
}

test('every statement makes allowed transitions only, and together they make all of them', async () => {
  const made = new Set<string>()
  for (const statement of statements) {
    for (const state of executionStates) {
      for (const request of requests) {
        const { id, accountId } = await insertExecution(state, request, statement)
        await statement.run(id, accountId)
        const transitions = await transitionsOf(id)
        const forbidden = transitions.filter(({ from, to }) => !mayFollow(from, to))
        expect(forbidden, `${statement.name} of an execution that is ${state}, with a request for ${request}`).toEqual([])
        for (const { from, to } of transitions) made.add(`${from} → ${to}`)
        // So that no later recovery or claim finds it.
        await db.pool.query(`delete from executions where id = $1`, [id])
      }
    }
  }
  const allowed = executionStates.flatMap((from) => executionTransitions[from].map((to) => `${from} → ${to}`))
  expect([...made].toSorted()).toEqual(allowed.toSorted())
})

test('an execution is inserted in an initial state, or in one that follows it within the same write', async () => {
  const progresses: readonly (Progress | undefined)[] = [
    undefined,
    { state: 'waiting', wakeAtMs: undefined },
    { state: 'pending' },
    completed(null),
  ]
  for (const begun of [true, false]) {
    for (const progress of begun ? progresses : [undefined]) {
      const accepted = headOf()
      await parts.journal.write(acceptOf(accepted, begun, { progress }))
      const { rows } = await db.pool.query<{ state: ExecutionState }>(`select state from executions where id = $1`, [accepted.id])
      const state = rows[0]?.state ?? 'faulted'
      expect(initialStates.includes(state) || (begun && mayFollow('running', state)), state).toBe(true)
    }
  }
})

test('a retry inserts its execution in an initial state', async () => {
  const accepted = headOf()
  await parts.journal.write(acceptOf(accepted, true, { progress: { ...completed(null), state: 'faulted' } }))
  const of = await parts.store.findRecord(accepted.accountId, accepted.id)
  if (of === undefined) throw new Error('the execution is missing')
  const id = await parts.store.continueFrom({
    id: newUuid(),
    of,
    versionId: of.versionId,
    actor: 'user:test',
    input: {},
    startedAtMs: 0,
    entries: [],
    keys: {},
  })
  const { rows } = await db.pool.query<{ state: ExecutionState }>(`select state from executions where id = $1`, [id])
  expect(initialStates).toContain(rows[0]?.state)
})
