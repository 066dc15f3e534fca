import type { GeneratedWorkflows } from './generate-workflows.ts'
import { invariants, type Limits } from './invariants.ts'
import type { Observations } from './observations.ts'

/** Checks all invariants. @returns the violations, each with the name of its invariant */
export function checkInvariants(seen: Observations, { all }: GeneratedWorkflows, limits: Limits): readonly string[] {
  const byVersion = new Map(all.map((workflow) => [workflow.versionId, workflow]))
  const predict = (versionId: string, n: number) => {
    const workflow = byVersion.get(versionId)
    if (workflow === undefined) throw new Error(`no version ${versionId}`)
    return workflow.predict(n)
  }
  return invariants.flatMap(({ name, broken }) => broken(seen, predict, limits).map((what) => `${name}: ${what}`))
}
