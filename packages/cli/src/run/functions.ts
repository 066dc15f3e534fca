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
export async function createFunctions(deps: FunctionDeps): Promise<Functions> {
  const pool = createScriptPool()
  const functions: readonly (readonly [string, EffectFunction])[] = [
    ...(await connectorFunctions(deps)),
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

/** The functions of connectors; those that need no connection perform, and their code is loaded only for a definition that calls a connector. */
async function connectorFunctions({ network, known }: FunctionDeps): Promise<readonly (readonly [string, EffectFunction])[]> {
  const names = known.map(({ name }) => name).filter((name) => name.includes('.'))
  if (names.length === 0) return []
  const { createDataConnectors } = await import('@millrace/server/data-functions')
  const data = new Map<string, EffectFunction>(
    createDataConnectors({ httpOf: () => network }).flatMap(({ name, functions }) =>
      functions.map((one) => [`${name}.${one.name}`, one.perform] as const),
    ),
  )
  return names.map((name) => [name, data.get(name) ?? refusing(noConnection(name))])
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
