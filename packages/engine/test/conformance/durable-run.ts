import { setTimeout as delay } from 'node:timers/promises'
import { isObject, type Json, type JsonObject } from '#core/json.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { Engine } from '#durable/process/engine.ts'
import type { EffectCall, EffectFunction } from '#durable/ports/effects.ts'
import type { EngineDatabase } from '#testing/database.ts'
import { definitionsIn, openTestEngine } from '#testing/open-test-engine.ts'
import { definitionOf } from '#testing/run-definition.ts'
import { newUuid } from '#testing/uuid.ts'
import type { Outcome, Outside, Running, Setup } from './running.ts'

/** The engine on PostgreSQL for many concurrent scenarios, each with its own account. Time is real. */
export interface DurableStage {
  /** Starts an execution. It continues after `reopen`, in another engine. One that has not ended after `outcomeMs` counts as waiting. */
  begin(setup: Setup, outside: Outside, outcomeMs: number): Promise<Running>
  /** Closes the engine as on SIGTERM and opens another one. @returns the accounts whose execution had not ended */
  reopen(): Promise<readonly string[]>
  close(): Promise<void>
}

interface Account {
  readonly workflows: ReadonlyMap<string, CompiledWorkflow>
  readonly secrets: JsonObject
  readonly functions: Readonly<Record<string, EffectFunction>>
}

/** `greet` is the function of the scenarios' default catalog. */
const called = ['http', 'openapi', 'mcp', 'script', 'greet']
const MAIN = 'the-workflow-of-the-scenario'

export async function openDurableStage(database: EngineDatabase): Promise<DurableStage> {
  const { pool } = database
  const accounts = new Map<string, Account>()
  const versions = new Map<string, CompiledWorkflow>()
  const reopened = Promise.withResolvers<void>()
  const deps = {
    definitions: definitionsIn(versions, async (accountId, { name }) => {
      const workflow = accounts.get(accountId)?.workflows.get(name)
      const id = [...versions].find(([, version]) => version === workflow)?.[0]
      return workflow === undefined || id === undefined ? undefined : { workflowId: id, versionId: id }
    }),
    secrets: { read: async (accountId: string) => accounts.get(accountId)?.secrets ?? {} },
    functions: new Map(called.map((name) => [name, (call: EffectCall) => performIn(accounts, name, call)])),
    reporter: {
      warn(message: string, details: unknown) {
        throw new Error(message, { cause: details })
      },
    },
  }
  const open = () => openTestEngine(database, deps, { liveMax: 200, recoverMs: 500 })
  let engine = await open()

  return {
    async begin(setup, { functions }, outcomeMs) {
      const accountId = newUuid()
      const installation = { functions: setup.functions, resources: setup.resources }
      const main = definitionOf(setup.definition, installation)
      const others = setup.others.map((text) => definitionOf(text, installation))
      const workflows = new Map([[MAIN, main], ...others.map((other) => [other.document.name, other] as const)])
      accounts.set(accountId, { workflows, functions, secrets: setup.secrets })
      for (const workflow of workflows.values()) versions.set(newUuid(), workflow)
      const id = [...versions].find(([, workflow]) => workflow === main)?.[0] ?? ''
      if (setup.events.length > 0) await engine.publish(accountId, setup.events)
      const startedAtMs = Date.now()
      const started = await engine.start({
        accountId,
        workflowId: id,
        versionId: id,
        trigger: 'manual',
        actor: 'user:test',
        input: setup.input,
      })
      await reopened.promise
      return runningIn({ pool, engine: () => engine, accountId, id: started.id, startedAtMs, outcomeMs })
    },
    async reopen() {
      await engine.close(Date.now() + 15_000)
      const { rows } = await pool.query<{ account_id: string }>(
        `select account_id from executions where parent_id is null and state in ('pending', 'waiting', 'running')`,
      )
      engine = await open()
      reopened.resolve()
      return rows.map((row) => row.account_id)
    },
    close: () => engine.close(Date.now() + 1_000),
  }
}

async function performIn(accounts: ReadonlyMap<string, Account>, name: string, call: EffectCall): Promise<Json> {
  const perform = accounts.get(call.accountId)?.functions[name]
  if (perform === undefined) throw new Error(`no function ${name} in this scenario`)
  return perform(call)
}

interface Place {
  readonly pool: EngineDatabase['pool']
  readonly engine: () => Engine
  readonly accountId: string
  readonly id: string
  readonly startedAtMs: number
  readonly outcomeMs: number
}

function runningIn({ pool, engine, accountId, id, startedAtMs, outcomeMs }: Place): Running {
  return {
    publish: async (event) => void (await engine().publish(accountId, [event])),
    async answer(topic, value) {
      for (let tries = 0; tries < 100; tries++) {
        const { rows } = await pool.query<{ position: string }>('select position from waits where execution_id = $1 and topic = $2', [
          id,
          topic,
        ])
        const [wait] = rows
        if (wait !== undefined) return engine().sendMessage({ accountId, executionId: id, position: wait.position, topic, value })
        await delay(20)
      }
      return false
    },
    cancel: async () => void (await engine().cancel(accountId, id)),
    pass: (ms) => delay(ms),
    async finish(): Promise<Outcome> {
      const outcome = await engine().outcome(accountId, id, outcomeMs)
      if (outcome === undefined) throw new Error('the execution does not exist')
      const { state, output, error, reply: answer } = outcome
      const { rows } = await pool.query<{ envelope: string }>('select envelope from events where account_id = $1 order by id', [accountId])
      const events = rows.map(({ envelope }): Json => JSON.parse(envelope)).filter(isObject)
      const ended = state === 'completed' || state === 'faulted' || state === 'cancelled'
      return {
        state: ended ? state : 'waiting',
        output,
        error,
        answer: answer?.body,
        events,
        tookMs: Date.now() - startedAtMs,
        trace: undefined,
      }
    },
  }
}
