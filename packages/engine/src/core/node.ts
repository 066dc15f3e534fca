import type { Evaluated } from './evaluate.ts'
import type { Json, JsonObject } from './json.ts'
import type { Label } from './label.ts'
import type { Scope, TaskInfo } from './scope.ts'
import type { Work } from './work.ts'

/** A compiled runtime expression or template: evaluated on `dot` with the variables of `scope`. Raises WorkflowError. */
export type Expression = (dot: Json, scope: Scope) => Evaluated<Json>
/** A compiled condition: true or false; null counts as false, any other value faults. */
export type Condition = (dot: Json, scope: Scope) => Evaluated<boolean>
/** A compiled schema: raises a validation error that names the invalid parts. */
export type Check = (value: Json, reference: string, work: Work) => Evaluated<undefined>
/** A compiled duration, in milliseconds. */
export type DurationMs = (dot: Json, scope: Scope) => Evaluated<number>

/** The labels of an execution with this input, and the steps that they took. Never throws because of a definition or an input. */
export type ReadLabels = (input: Json, nowMs: number) => { readonly labels: readonly Label[]; readonly steps: number }

/** Where the flow goes after a task; `goto` is an index into the same list. */
export type Directive = 'continue' | 'exit' | 'end' | { readonly goto: number }

/** How a raw output is transformed and checked, and the context replaced and checked. */
export interface Finish {
  readonly outputAs?: Expression
  readonly outputCheck?: Check
  readonly exportAs?: Expression
  readonly exportCheck?: Check
}

export interface TaskNode extends TaskInfo, Finish {
  /** The task type of the language: `call`, `run`, `listen`, … */
  readonly kind: string
  /** Its part of a position: index and name, without characters that PostgreSQL's text refuses. */
  readonly segment: string
  readonly if?: Condition
  readonly inputCheck?: Check
  readonly inputFrom?: Expression
  readonly timeoutMs?: DurationMs
  readonly then: Directive
  readonly body: TaskBody
  /** Extensions that apply to its kind, outermost first. */
  readonly extensions?: readonly ExtensionNode[]
}

export interface ExtensionNode {
  readonly when?: Condition
  readonly before: Sequence
  readonly after: Sequence
}

export interface Sequence {
  readonly tasks: readonly TaskNode[]
}

export type TaskBody =
  | DoBody
  | SetBody
  | SwitchBody
  | ForBody
  | ForkBody
  | TryBody
  | RaiseBody
  | WaitBody
  | CallBody
  | FunctionBody
  | MessageBody
  | AnswerBody
  | EmitBody
  | ListenBody
  | RunWorkflowBody
  | PassBody

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
  /** How many iterations run at a time, each on the input of the loop; without it they run one after another, each on the output before. */
  readonly concurrency?: number
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

/** An effect: `function` names the function that performs it (`http`, functions of the catalog). */
export interface CallBody {
  readonly kind: 'call'
  readonly function: string
  readonly arguments: Expression
  /** Of the evaluated arguments. */
  readonly check?: Check
}

/** A function that is a task: of `use.functions`, or out of a catalog. Its input are the arguments. */
export interface FunctionBody {
  readonly kind: 'function'
  /** Fetched from a URL instead of being part of the definition: it cannot read secrets. */
  readonly foreign: boolean
  readonly node: TaskNode
  readonly arguments: Expression
}

/** A function that waits for one message from outside. */
export interface MessageBody {
  readonly kind: 'message'
  readonly topic: string
  readonly arguments: Expression
  readonly check?: Check
}

/** Sends the `body` of its arguments to the caller that waits for the execution. */
export interface AnswerBody {
  readonly kind: 'answer'
  readonly arguments: Expression
  readonly check?: Check
}

export interface EmitBody {
  readonly kind: 'emit'
  readonly event: Expression
}

export interface ListenBody {
  readonly kind: 'listen'
  readonly mode: 'all' | 'any' | 'one'
  readonly filters: readonly FilterNode[]
  /** Ends `any`: a condition on the array of consumed events, or further events. */
  readonly until?: Condition | { readonly all: boolean; readonly filters: readonly FilterNode[] }
  readonly read: 'data' | 'envelope' | 'raw'
  readonly foreach?: IteratorNode
}

/** A filter of events. `filter` is the part that is equal for all executions; the rest is evaluated when listening begins. */
export interface FilterNode {
  readonly filter: Json
  /** The values that its expressions read of the execution, by variable. */
  readonly scope?: (dot: Json, scope: Scope) => JsonObject
  readonly correlations: readonly { readonly name: string; readonly expect?: Expression }[]
}

export interface IteratorNode extends Finish {
  readonly item: string
  readonly at: string
  readonly tasks?: Sequence
}

/** Returns its input: a process whose output is not awaited and that has no effect. */
export interface PassBody {
  readonly kind: 'pass'
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
/** Variables to be read once, before the first task. */
export interface VariablesRead {
  /** Names that must exist. */
  readonly names: readonly string[]
  /** Whether all variables are read, since an expression computes a name. */
  readonly all: boolean
}

export interface CompiledWorkflow {
  readonly document: { readonly namespace: string; readonly name: string; readonly version: string }
  readonly definition: Json
  readonly secrets: readonly string[]
  /** The request for the variables of the account; absent for a definition that reads none. */
  readonly variables?: VariablesRead
  /** Absent for a definition without labels of runs. */
  readonly labels?: ReadLabels
  readonly inputCheck?: Check
  readonly inputFrom?: Expression
  readonly outputAs?: Expression
  readonly outputCheck?: Check
  readonly timeoutMs?: DurationMs
  /** How many executions of the workflow may run at once. */
  readonly concurrency?: number
  readonly tasks: Sequence
}
