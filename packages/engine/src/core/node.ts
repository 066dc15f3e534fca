import type { Json } from './json.ts'
import type { Scope, TaskInfo } from './scope.ts'

/** A compiled runtime expression or template: evaluated on `dot` with the variables that `scope` holds. Raises WorkflowError. */
export type Expression = (dot: Json, scope: Scope) => Json
/** A compiled condition: jq's truth, everything but `false` and `null`. */
export type Condition = (dot: Json, scope: Scope) => boolean
/** A compiled schema: raises a validation error that names what does not fit. */
export type Check = (value: Json, reference: string) => void
/** A compiled duration, in milliseconds. */
export type DurationMs = (dot: Json, scope: Scope) => number

/** Where the flow goes after a task; `goto` is an index into the same list. */
export type Directive = 'continue' | 'exit' | 'end' | { readonly goto: number }

export interface TaskNode extends TaskInfo {
  /** Its part of a position: index and name, without characters that PostgreSQL's text refuses. */
  readonly segment: string
  readonly if?: Condition
  readonly inputCheck?: Check
  readonly inputFrom?: Expression
  readonly outputAs?: Expression
  readonly outputCheck?: Check
  readonly exportAs?: Expression
  readonly exportCheck?: Check
  readonly timeoutMs?: DurationMs
  readonly then: Directive
  readonly body: TaskBody
}

export interface Sequence {
  readonly tasks: readonly TaskNode[]
}

export type TaskBody = DoBody | SetBody | SwitchBody | ForBody | ForkBody | TryBody | RaiseBody | WaitBody | CallBody | RunWorkflowBody

export interface DoBody {
  readonly kind: 'do'
  readonly tasks: Sequence
}

export interface SetBody {
  readonly kind: 'set'
  readonly value: Expression
}

export interface SwitchBody {
  readonly kind: 'switch'
  /** Conditional cases in order; `otherwise` is the case without a condition. */
  readonly cases: readonly { readonly when: Condition; readonly then: Directive }[]
  readonly otherwise?: Directive
}

export interface ForBody {
  readonly kind: 'for'
  readonly in: Expression
  readonly each: string
  readonly at: string
  readonly while?: Condition
  readonly tasks: Sequence
}

export interface ForkBody {
  readonly kind: 'fork'
  readonly branches: readonly TaskNode[]
  readonly compete: boolean
}

export interface TryBody {
  readonly kind: 'try'
  readonly tasks: Sequence
  readonly catch: CatchClause
}

export interface CatchClause {
  /** Compared with the raised error, property by property; absent ones match anything. */
  readonly filter: {
    readonly type?: string
    readonly status?: number
    readonly instance?: string
    readonly title?: string
    readonly detail?: string
  }
  readonly as: string
  readonly when?: Condition
  readonly exceptWhen?: Condition
  readonly retry?: RetryPolicy
  readonly tasks?: Sequence
  readonly then?: Directive
}

export interface RetryPolicy {
  readonly when?: Condition
  readonly exceptWhen?: Condition
  readonly delayMs: DurationMs
  readonly backoff: 'constant' | 'linear' | 'exponential'
  /** Retries after the first attempt; absent means no limit by number. */
  readonly retriesMax?: number
  readonly attemptMs?: DurationMs
  readonly totalMs?: DurationMs
  readonly jitter?: { readonly fromMs: DurationMs; readonly toMs: DurationMs }
}

export interface RaiseBody {
  readonly kind: 'raise'
  readonly error: Expression
}

export interface WaitBody {
  readonly kind: 'wait'
  readonly durationMs: DurationMs
}

/** An effect of the outside world: `function` names who performs it (`http`, later functions of the catalog). */
export interface CallBody {
  readonly kind: 'call'
  readonly function: string
  readonly arguments: Expression
}

export interface RunWorkflowBody {
  readonly kind: 'run-workflow'
  readonly namespace: string
  readonly name: string
  readonly version: string
  readonly input: Expression
  readonly await: boolean
}

/** A definition compiled once per version; shared by all its executions. */
export interface CompiledWorkflow {
  readonly document: { readonly namespace: string; readonly name: string; readonly version: string }
  readonly definition: Json
  readonly secrets: readonly string[]
  readonly inputCheck?: Check
  readonly inputFrom?: Expression
  readonly outputAs?: Expression
  readonly outputCheck?: Check
  readonly timeoutMs?: DurationMs
  readonly tasks: Sequence
}
