import { isObject } from '#src/shape/variables.ts'
import type { Json, JsonObject } from '#src/json.ts'
import type { Task } from '#src/shape/task-shapes.ts'

/** One flow directive of a task. */
export interface Directive {
  /** `continue`, `exit`, `end` or the name of a task. */
  readonly target: string
  readonly kind: 'then' | 'case' | 'catch'
  /** The name of the case of a switch. */
  readonly label?: string
  /** The path of the directive in the task. */
  readonly at: readonly (string | number)[]
  /** False when no run can reach it. */
  readonly effective: boolean
}

export interface Flow {
  readonly directives: readonly Directive[]
  /** Whether a run can continue with the next task of the list without a directive. */
  readonly fallsThrough: boolean
}

/** The directives of a task; reads defensively, since the task may have other mistakes. */
export function flowOf(task: Json | Task): Flow {
  if (!isObject(task)) return { directives: [], fallsThrough: true }
  const conditional = 'if' in task
  const cases = casesOf(task)
  const hasDefault = cases.some((entry) => !entry.conditional)
  const raises = 'raise' in task
  const caught = caughtDirective(task)
  const own = task['then']
  const ownEffective = !raises && !hasDefault
  const then: readonly Directive[] = typeof own === 'string' ? [{ target: own, kind: 'then', at: ['then'], effective: ownEffective }] : []
  return {
    directives: [...cases.map((entry) => entry.directive), ...caught, ...then],
    // A task whose condition is false is skipped, and its directives with it.
    fallsThrough: conditional || (ownEffective && typeof own !== 'string'),
  }
}

interface Case {
  readonly directive: Directive
  readonly conditional: boolean
}

function casesOf(task: JsonObject): Case[] {
  const items = task['switch']
  if (!Array.isArray(items)) return []
  const cases: Case[] = []
  let decided = false
  for (const [index, item] of items.entries()) {
    for (const [label, content] of isObject(item) ? Object.entries(item) : []) {
      if (!isObject(content)) continue
      const conditional = 'when' in content
      const target = content['then']
      const at = ['switch', index, label, 'then']
      if (typeof target === 'string')
        cases.push({ directive: { target, kind: 'case', label, at, effective: conditional || !decided }, conditional })
      decided ||= !conditional
    }
  }
  return cases
}

function caughtDirective(task: JsonObject): Directive[] {
  const caught = task['catch']
  const target = isObject(caught) ? caught['then'] : undefined
  return typeof target === 'string' ? [{ target, kind: 'catch', at: ['catch', 'then'], effective: true }] : []
}
