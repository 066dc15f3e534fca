import type { CompiledWorkflow } from '#core/node.ts'
import { call, workflowOf } from '#testing/nodes.ts'

/** The id of a version that calls a service twice, for `ms` each. */
export const slowVersion = (ms: number) => `00000000-0000-7000-8000-${String(ms).padStart(12, '0')}`
/** The id of a version that makes its process exit. */
export const killerVersion = '00000000-0000-7000-8000-ffffffffffff'

export function slowWorkflows(serviceUrl: string, callsMs: readonly number[]): ReadonlyMap<string, CompiledWorkflow> {
  const ask = (ms: number) => call('http', { method: 'post', endpoint: { uri: `${serviceUrl}/${ms}` } })
  return new Map([
    ...callsMs.map((ms) => [slowVersion(ms), workflowOf(ask(ms), ask(ms))] as const),
    [killerVersion, workflowOf(call('exit'))],
  ])
}
