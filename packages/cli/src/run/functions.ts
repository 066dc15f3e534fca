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
import type { JsonObject } from '@millrace/engine'
import type { EffectFunction } from '@millrace/engine/local'
import { createVariablesFunction } from './read-variables.ts'

export interface FunctionDeps {
  readonly network: HttpPort
  readonly now: () => number
  readonly version: string
  /** The variables of the command line. */
  readonly variables: JsonObject
}

export interface Functions {
  readonly functions: ReadonlyMap<string, EffectFunction>
  /** Ends threads. */
  close(): Promise<void>
}

const limits = { timeoutMs: 60_000, timeoutMsMax: 15 * 60_000, maxResponseBytes: 16 * 1024 * 1024 }

const noMail = '"millrace run" sends no mail. A server sends it; for a local run, catch this error or skip the task with "if".'

/** The functions of a local run. */
export function createFunctions(deps: FunctionDeps): Functions {
  const pool = createScriptPool()
  const functions: readonly (readonly [string, EffectFunction])[] = [
    ...createHttpFunctions({ ...httpDeps(deps), version: deps.version }),
    ['script', createScriptFunction({ pool })],
    ['variables', createVariablesFunction(deps.variables)],
    ['email', () => Promise.reject(standardError('configuration', noMail))],
  ]
  return { functions: new Map(functions.map(([name, perform]) => [name, keepAlive(perform)])), close: () => pool.close() }
}

/** Fetches the external resources of definitions. */
export function createFetcher(deps: Omit<FunctionDeps, 'version' | 'variables'>): FetchResource {
  return createResourceFetcher(httpDeps(deps))
}

function httpDeps({ network, now }: Omit<FunctionDeps, 'version' | 'variables'>) {
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
