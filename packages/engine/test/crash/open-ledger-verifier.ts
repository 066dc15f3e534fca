import type { Pool } from 'pg'
import type { CompiledWorkflow } from '#core/node.ts'
import { openVerifier, type Verifier } from '#postgres/open-verifier.ts'

/** The version of Millrace that the executions of the crash tests see. */
export const crashVersion = 'crash'

/** The verifier of `millrace verify`, for executions of generated workflows. */
export function openLedgerVerifier(pool: Pick<Pool, 'query'>, workflows: ReadonlyMap<string, CompiledWorkflow>): Verifier {
  const load = async (_accountId: string, versionId: string) => {
    const workflow = workflows.get(versionId)
    if (workflow === undefined) throw new Error(`no version ${versionId}`)
    return workflow
  }
  return openVerifier({ pool, definitions: { load }, secrets: { read: async () => ({}) }, version: crashVersion })
}
