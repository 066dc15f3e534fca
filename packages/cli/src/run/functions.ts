import { randomBytes } from 'node:crypto'
import { standardError } from '@millrace/engine/definition'
import {
  createHttpFunctions,
  createResourceFetcher,
  createScriptFunction,
  createScriptPool,
  type FetchResource,
  type HttpPort,
} from '@millrace/engine/effects'
import type { FunctionManifest, JsonObject } from '@millrace/engine'
import type { EffectFunction } from '@millrace/engine/local'
import { createDataConnectors } from '@millrace/server/data-functions'
import { createVariablesFunction } from './read-variables.ts'

export interface FunctionDeps {
  readonly network: HttpPort
  readonly now: () => number
  readonly version: string
  /** The variables of the command line. */
  readonly variables: JsonObject
  /** The functions that the definitions can call. */
  readonly known: readonly Pick<FunctionManifest, 'name'>[]
}

export interface Functions {
  readonly functions: ReadonlyMap<string, EffectFunction>
  /** Ends threads. */
  close(): Promise<void>
}

const limits = { timeoutMs: 60_000, timeoutMsMax: 15 * 60_000, maxResponseBytes: 16 * 1024 * 1024 }

/** Functions of connectors that need a connection of an account. */
const noConnection = (name: string) =>
  `"millrace run" has no connections, so it cannot call "${name}". A server calls it; for a local run, catch this error or skip the task with "if".`

const noModel =
  '"millrace run" asks no language model. A server with a model does; for a local run, catch this error or skip the task with "if".'

const noMail = '"millrace run" sends no mail. A server sends it; for a local run, catch this error or skip the task with "if".'

/** The functions of a local run. */
export function createFunctions(deps: FunctionDeps): Functions {
  const pool = createScriptPool()
  const data = dataFunctions(deps)
  const connectors = deps.known.flatMap(({ name }) => {
    return name.includes('.') ? [[name, data.get(name) ?? refusing(noConnection(name))] as const] : []
  })
  const functions: readonly (readonly [string, EffectFunction])[] = [
    ...connectors,
    ...createHttpFunctions({ ...httpDeps(deps), version: deps.version }),
    ['script', createScriptFunction({ pool })],
    ['variables', createVariablesFunction(deps.variables)],
    ['email', refusing(noMail)],
    ['model', refusing(noModel)],
    ['agent', refusing(noModel)],
  ]
  return { functions: new Map(functions.map(([name, perform]) => [name, keepAlive(perform)])), close: () => pool.close() }
}

function refusing(detail: string): EffectFunction {
  return () => Promise.reject(standardError('configuration', detail))
}

/** Functions of connectors without a connection: CSV, XML, spreadsheets, PDF, feeds, dates, hashes. */
function dataFunctions({ network }: Pick<FunctionDeps, 'network'>): ReadonlyMap<string, EffectFunction> {
  const connectors = createDataConnectors({ httpOf: () => network })
  return new Map(connectors.flatMap(({ name, functions }) => functions.map((one) => [`${name}.${one.name}`, one.perform] as const)))
}

/** Fetches the external resources of definitions. */
export function createFetcher(deps: Pick<FunctionDeps, 'network' | 'now'>): FetchResource {
  return createResourceFetcher(httpDeps(deps))
}

function httpDeps({ network, now }: Pick<FunctionDeps, 'network' | 'now'>) {
  return { http: network, clock: now, randomId: () => randomBytes(16).toString('hex'), limits }
}

/** The longest time that a timer can have. */
const timerMsMax = 2 ** 31 - 1

/** Keeps the process alive while the function runs: threads and idle connections do not, and an idle process ends the run. */
function keepAlive(perform: EffectFunction): EffectFunction {
  return async (call) => {
    const timer = setInterval(() => undefined, timerMsMax)
    try {
      return await perform(call)
    } finally {
      clearInterval(timer)
    }
  }
}
