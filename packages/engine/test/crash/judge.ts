import type { GeneratedWorkflows } from './generate-workflows.ts'
import { invariants, type Limits } from './invariants.ts'
import type { Observations } from './observations.ts'

/** @returns what was broken, each with the invariant that it breaks. */
export function judge(seen: Observations, { all }: GeneratedWorkflows, limits: Limits): readonly string[] {
  const byVersion = new Map(all.map((workflow) => [workflow.versionId, workflow]))
  const foretell = (versionId: string, n: number) => {
    const workflow = byVersion.get(versionId)
    if (workflow === undefined) throw new Error(`no version ${versionId}`)
    return workflow.foretell(n)
  }
  return invariants.flatMap(({ name, broken }) => broken(seen, foretell, limits).map((what) => `${name}: ${what}`))
}
