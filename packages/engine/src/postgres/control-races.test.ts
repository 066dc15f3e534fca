import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { standardError } from '#core/error.ts'
import { isTerminal } from '#core/execution-state.ts'
import type { EffectCall } from '#durable/ports/effects.ts'
import { createEngineDatabase } from '#testing/database.ts'
import { accountId, createTestEngine, type TestEngine } from '#testing/engines.ts'
import { definitionOf } from '#testing/run-definition.ts'

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const ask = (name: string) => `{ ${name}: { call: http, with: { method: get, endpoint: { uri: 'http://t.test/${name}' } } } }`

/** Effects one after another and side by side, a child, short waits and one that parks, an error that is caught and one that is not. */
const workflows = {
  long: definitionOf(`do: [${['a', 'b', 'c', 'd', 'e'].map(ask).join(', ')}]`),
  naps: definitionOf(
    `do: [${ask('a')}, { nap: { wait: { milliseconds: 15 } } }, ${ask('b')}, { sleep: { wait: { milliseconds: 1150 } } }, ${ask('c')}]`,
  ),
  wide: definitionOf(
    `do: [{ both: { fork: { branches: [${ask('a')}, ${ask('b')}, { c: { do: [${ask('c1')}, ${ask('c2')}] } }] } } }, ${ask('d')}]`,
  ),
  parent: definitionOf(
    `do: [${ask('a')}, { child: { run: { workflow: { namespace: test, name: long, version: '1.0.0' } } } }, ${ask('b')}]`,
  ),
  fails: definitionOf(
    `do: [${ask('a')}, { guarded: { try: [${ask('fail')}], catch: { do: [${ask('c')}] } } }, ${ask('fail')}, ${ask('d')}]`,
  ),
} as const
const names = Object.keys(workflows)

/** How often each effect of a whole walk is performed. */
const effectsOf: Readonly<Record<string, number>> = { long: 5, naps: 3, wide: 5, parent: 7, fails: 4 }

/** The requests that were made for one execution. */
interface Subject {
  readonly id: string
  readonly name: string
  suspended: boolean
  cancelled: boolean
  retriedBy: string | undefined
  /** Effects that had started when it was first seen suspended. */
  begunWhenSuspended: number | undefined
}

interface World {
  readonly engines: readonly TestEngine[]
  readonly random: () => number
  readonly subjects: Subject[]
  /** Keys of the effects that were started, by execution. */
  readonly begun: Map<string, string[]>
}

async function createWorld(seed: number): Promise<World> {
  const database = await createEngineDatabase()
  const random = randomOf(seed)
  const begun = new Map<string, string[]>()
  const http = async ({ executionId, idempotencyKey, arguments: given, signal }: EffectCall) => {
    const keys = begun.get(executionId)
    if (keys === undefined) begun.set(executionId, [idempotencyKey])
    else keys.push(idempotencyKey)
    await pause(1 + random() * 12, undefined, { signal })
    if (JSON.stringify(given).includes('/fail')) throw standardError('communication', 'as the test wants it')
    return { done: true }
  }
  const engines = [
    await createTestEngine(database, { workflows, functions: { http } }),
    await createTestEngine(database, { workflows, functions: { http } }),
  ]
  onTestFinished(async () => {
    await Promise.all(engines.map(({ engine }) => engine.close(Date.now() + 3_000)))
    await database[Symbol.asyncDispose]()
  })
  return { engines, random, subjects: [], begun }
}

function pick<T>({ random }: World, list: readonly T[]): T {
  const chosen = list[Math.floor(random() * list.length)]
  if (chosen === undefined) throw new Error('there is nothing to pick')
  return chosen
}

const stateOf = async (world: World, { id }: Subject) => (await pick(world, world.engines).outcome(id, 0))?.state
const begunBy = ({ begun }: World, { id }: Subject) => begun.get(id)?.length ?? 0

/** Makes one random request for one execution and checks its result against the earlier ones. Only the engines race with it. */
async function act(world: World, subject: Subject): Promise<void> {
  const { engine } = pick(world, world.engines)
  const before = await stateOf(world, subject)
  // A suspended execution has started no effect since it was first seen suspended.
  if (before === 'suspended' && !subject.cancelled) {
    expect(subject.suspended).toBe(true)
    expect(begunBy(world, subject)).toBe((subject.begunWhenSuspended ??= begunBy(world, subject)))
  }
  const ended = before === 'completed' || before === 'faulted' || before === 'cancelled'
  switch (pick(world, ['cancel', 'suspend', 'suspend', 'resume', 'resume', 'retry'] as const)) {
    case 'cancel': {
      // Most executions end without a cancel.
      if (world.random() < 0.6) return
      const result = await engine.cancel(accountId, subject.id)
      if (ended) expect(result).toBe('ended')
      if (result === 'ended') return expectEnded(world, subject)
      expect(result).toBe('requested')
      subject.cancelled = true
      return
    }
    case 'suspend': {
      const result = await engine.suspend(accountId, subject.id)
      if (ended) expect(result).toBe('ended')
      if (result === 'ended') return expectEnded(world, subject)
      expect(['suspended', 'requested', 'already']).toContain(result)
      if (result === 'already') expect(subject.suspended).toBe(true)
      subject.suspended = true
      return
    }
    case 'resume': {
      const result = await engine.resume(accountId, subject.id)
      if (ended) expect(result).toBe('ended')
      if (result === 'ended') return expectEnded(world, subject)
      expect(result).toBe(subject.suspended ? 'resumed' : 'running')
      subject.suspended = false
      subject.begunWhenSuspended = undefined
      return
    }
    case 'retry':
      return retry(world, subject, before)
  }
}

async function retry(world: World, subject: Subject, before: string | undefined): Promise<void> {
  const result = await pick(world, world.engines).engine.retry(accountId, subject.id, { actor: 'user:test' })
  switch (result.kind) {
    case 'not_ended':
      return expect(['completed', 'faulted', 'cancelled']).not.toContain(before)
    case 'completed':
      return expect(await stateOf(world, subject)).toBe('completed')
    case 'retried':
      return expect(result.id).toBe(subject.retriedBy)
    case 'started':
      expect(['faulted', 'cancelled']).toContain(await stateOf(world, subject))
      expect(subject.retriedBy).toBeUndefined()
      subject.retriedBy = result.id
      world.subjects.push({
        id: result.id,
        name: subject.name,
        suspended: false,
        cancelled: false,
        retriedBy: undefined,
        begunWhenSuspended: undefined,
      })
      return
    case 'unknown':
      throw new Error('an execution was not found')
  }
}

async function expectEnded(world: World, subject: Subject): Promise<void> {
  expect(['completed', 'faulted', 'cancelled']).toContain(await stateOf(world, subject))
}

test.each([11, 12, 13])(
  'under random requests from two processes no execution hangs, repeats an effect, or refuses a valid request (seed %i)',
  async (seed) => {
    const world = await createWorld(seed)
    const { engines, random, subjects, begun } = world
    for (let count = 0; count < 60; count++) {
      const name = pick(world, names)
      const { id } = await pick(world, engines).start(name)
      subjects.push({ id, name, suspended: false, cancelled: false, retriedBy: undefined, begunWhenSuspended: undefined })
    }
    const untilMs = Date.now() + 2_500
    /** Each execution belongs to one actor; all actors run at the same time. */
    async function actor(own: readonly Subject[]): Promise<void> {
      while (Date.now() < untilMs) {
        await act(world, pick(world, own))
        await pause(random() * 25)
      }
    }
    const initial = [...subjects]
    await Promise.all(Array.from({ length: 12 }, (_, index) => actor(initial.filter((_subject, at) => at % 12 === index))))

    // Suspended executions do nothing, and the others end. One may have ended before the suspension took effect.
    const suspendedSubjects = subjects.filter(({ suspended, cancelled }) => suspended && !cancelled)
    for (const subject of suspendedSubjects)
      await expect.poll(() => stateOf(world, subject)).toMatch(/^(?:suspended|completed|faulted|cancelled)$/)
    const begunBefore = suspendedSubjects.map((subject) => begunBy(world, subject))
    await pause(400)
    for (const [index, subject] of suspendedSubjects.entries()) {
      expect(begunBy(world, subject)).toBe(begunBefore[index])
      await pick(world, engines).engine.resume(accountId, subject.id)
    }

    for (const subject of subjects) {
      const { engine, outcome } = pick(world, engines)
      const snapshot = await outcome(subject.id)
      expect(snapshot && isTerminal(snapshot.state), `${subject.name} ${subject.id} hangs: ${JSON.stringify(snapshot)}`).toBe(true)
      if (!subject.cancelled) expect(snapshot?.state).toBe(subject.name === 'fails' ? 'faulted' : 'completed')
      expect((await engine.verify(accountId, subject.id))?.difference).toBeUndefined()
    }
    for (const keys of begun.values()) expect(new Set(keys).size).toBe(keys.length)
    // An execution that was not cancelled performed each of its effects once.
    for (const subject of initial.filter(({ cancelled, name }) => !cancelled && name !== 'parent'))
      expect(begunBy(world, subject), subject.name).toBe(effectsOf[subject.name])
    expect(engines.flatMap(({ warnings }) => warnings)).toEqual([])
  },
  60_000,
)
