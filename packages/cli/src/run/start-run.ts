import { randomBytes } from 'node:crypto'
import {
  createHttpFunctions,
  createScriptFunction,
  createScriptPool,
  type HttpPort,
  type Json,
  type JsonObject,
  type LocalRun,
  type Observer,
  runLocally,
} from '@millrace/engine'
import type { Family } from '#definitions/family.ts'
import type { Terminal } from '#terminal/terminal.ts'

export interface StartDeps {
  readonly network: HttpPort
  readonly secrets: JsonObject
  readonly observer: Observer
  readonly version: string
  readonly warn: (message: string, cause: unknown) => void
}

const limits = { timeoutMs: 60_000, timeoutMsMax: 15 * 60_000, maxResponseBytes: 16 * 1024 * 1024 }

/** Starts the root of a family in this process. */
export function startRun(family: Family, input: Json, { now, newId }: Pick<Terminal, 'now' | 'newId'>, deps: StartDeps): LocalRun {
  return runLocally(family.root.workflow, input, {
    functions: new Map([
      ...createHttpFunctions({
        http: deps.network,
        clock: now,
        randomId: () => randomBytes(16).toString('hex'),
        limits,
        version: deps.version,
      }),
      ['script', createScriptFunction({ pool: createScriptPool() })],
    ]),
    definitions: {
      async resolve(_accountId, reference) {
        const found = family.find(reference)
        return found === undefined ? undefined : { workflowId: found.id, versionId: found.id }
      },
      async load(_accountId, versionId) {
        const found = family.members.find(({ id }) => id === versionId)
        if (found === undefined) throw new Error(`the workflow ${versionId} was resolved but is not loaded`)
        return found.workflow
      },
    },
    reporter: { warn: (message, { error }) => deps.warn(message, error) },
    secrets: deps.secrets,
    now,
    newId,
    version: deps.version,
    observer: deps.observer,
  })
}
