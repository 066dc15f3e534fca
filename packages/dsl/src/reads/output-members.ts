import type { JsonObject } from '#src/json.ts'
import { objectAt } from '#src/shape/variables.ts'
import { calledFunction, type KnownNames } from '#src/tasks/called-function.ts'

/** The members of the outputs of functions of the default catalog, as their manifests in the server have them. */
export const catalogOutputs: ReadonlyMap<string, readonly string[]> = new Map([
  ['agent', ['outcome', 'answer', 'turns', 'toolCalls', 'inputTokens', 'outputTokens', 'cost']],
  ['approve', ['approved', 'outcome', 'data', 'details', 'answers', 'approval', 'decidedAt']],
  ['email', ['messageId', 'accepted', 'rejected']],
  ['model', ['text', 'data', 'finish', 'model', 'modelId', 'promptDigest', 'usage']],
])

/** The version of those functions. */
export const catalogVersion = '1.0.0'

/** The members that the output of a call or a process has at most; undefined if that depends on more than the task. */
export function outputMembers(task: JsonObject, names: KnownNames): readonly string[] | undefined {
  const run = objectAt(task, 'run')
  if (run !== undefined) return run['return'] === 'all' && run['await'] !== false && !('workflow' in run) ? processMembers : undefined
  const { call } = task
  if (typeof call !== 'string') return undefined
  const called = calledFunction(call, names)
  if (called.kind === 'built-in') return call === 'http' && objectAt(task, 'with')?.['output'] === 'response' ? responseMembers : undefined
  const isCatalog = called.kind === 'default' && (called.version === undefined || called.version === catalogVersion)
  return isCatalog ? catalogOutputs.get(called.name) : undefined
}

const processMembers = ['code', 'stdout', 'stderr']
const responseMembers = ['request', 'statusCode', 'headers', 'content']
