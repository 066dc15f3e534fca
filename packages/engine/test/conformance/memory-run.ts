import { vi } from 'vitest'
import type { Json } from '#core/json.ts'
import type { Observer } from '#core/observer.ts'
import type { LocalRun } from '#durable/local/local-run.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'
import { type RunResult, runDefinition } from '#testing/run-definition.ts'
import type { Outcome, Outside, Running, Setup, Traced } from './running.ts'

export const startMs = Date.parse('2030-01-02T03:04:05.678Z')
/** Longer than any wait of a scenario. */
const HORIZON_MS = 20 * 24 * 60 * 60 * 1000
/** The execution is idle after this number of turns of the event loop without activity. */
const QUIET_TURNS = 5

/**
 * Runs a definition in memory with a fake clock. The clock stops during activity and then jumps to the next timer, so waits take no real time
 * and durations are exact.
 */
export async function beginInMemory(setup: Setup, { functions, hanging }: Outside): Promise<Running> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: startMs })
  const trace: Traced[] = []
  const activity = { calls: 0, happened: 0 }
  let local: LocalRun | undefined
  let ran: RunResult | undefined
  let endedAtMs = 0
  const ending = runDefinition(setup.definition, {
    input: setup.input,
    secrets: setup.secrets,
    others: setup.others,
    installation: { functions: setup.functions, resources: setup.resources },
    events: setup.events,
    functions: counted(functions, activity),
    observer: tracer(trace),
    started: (run) => void (local = run),
  }).then((end) => {
    ran = end
    endedAtMs = Date.now()
  })
  const failed = ending.then(
    () => undefined,
    (error: unknown) => ({ error }),
  )

  const settle = async () => {
    let happened = -1
    for (let quiet = 0; quiet < QUIET_TURNS && ran === undefined; quiet++) {
      await new Promise((resolve) => setImmediate(resolve))
      if (activity.calls > hanging() || activity.happened + trace.length !== happened) quiet = 0
      happened = activity.happened + trace.length
    }
    const failure = await Promise.race([failed, Promise.resolve(undefined)])
    if (failure !== undefined) throw failure.error
  }
  await settle()
  return {
    async publish(event) {
      local?.publish(event)
      await settle()
    },
    async answer(topic, value) {
      const wait = local?.waits().find((one) => one.topic === topic)
      const taken = wait !== undefined && local?.answer(wait.position, value) === true
      await settle()
      return taken
    },
    async cancel() {
      local?.cancel()
      await settle()
    },
    async pass(ms) {
      let over = false
      setTimeout(() => void (over = true), ms)
      while (!over) {
        await vi.advanceTimersToNextTimerAsync()
        await settle()
      }
    },
    async finish() {
      while (ran === undefined && Date.now() - startMs < HORIZON_MS && vi.getTimerCount() > 0) {
        await vi.advanceTimersToNextTimerAsync()
        await settle()
      }
      const waits = ran === undefined
      if (waits) local?.cancel()
      await ending
      return outcomeOf(ran, waits, endedAtMs, trace)
    },
  }
}

function outcomeOf(ran: RunResult | undefined, waits: boolean, endedAtMs: number, trace: readonly Traced[]): Outcome {
  if (ran === undefined) throw new Error('the run did not end')
  const [first] = ran.writes
  const own = ran.writes.filter(({ executionId }) => executionId === first?.executionId)
  const answered: readonly { readonly body: Json }[] = own.flatMap(({ reply: answer }) => answer ?? [])
  const state = ran.state === 'completed' || ran.state === 'faulted' ? ran.state : 'cancelled'
  return {
    state: waits ? 'waiting' : state,
    output: ran.output,
    error: ran.error,
    answer: answered[0]?.body,
    events: ran.writes.flatMap(({ events }) => events),
    tookMs: endedAtMs - startMs,
    trace,
  }
}

/** The same functions, with a count of running calls. */
function counted(functions: Outside['functions'], activity: { calls: number; happened: number }): Record<string, EffectFunction> {
  return Object.fromEntries(
    Object.entries(functions).map(([name, perform]): [string, EffectFunction] => [
      name,
      async (call) => {
        activity.calls += 1
        try {
          return await perform(call)
        } finally {
          activity.calls -= 1
          activity.happened += 1
        }
      },
    ]),
  )
}

function tracer(trace: Traced[]): Observer {
  const note = (what: Traced['what']) => (_position: string, node: { readonly name: string }, atMs: number) =>
    void trace.push({ what, name: node.name, afterMs: atMs - startMs })
  return { skipped: note('skipped'), started: note('started'), completed: note('completed'), faulted: note('faulted') }
}
