import type { ReferenceableAuthentication } from './authentication.ts'
import type {
  A2aArguments,
  AsyncApiConsumption,
  AsyncApiMessage,
  AsyncApiProtocol,
  GrpcArguments,
  HttpArguments,
  McpArguments,
  OpenApiArguments,
} from './call.ts'
import type { Export, Input, Output } from './data.ts'
import type { Duration, Timeout } from './duration.ts'
import type { EventConsumptionStrategy, EventProperties, EventReadMode } from './event.ts'
import type { ErrorDefinition, ErrorFilter, RetryPolicy } from './fault.ts'
import type { JsonObject } from './json.ts'
import type { ExternalResource } from './resource.ts'
import type { RunConfiguration } from './run.ts'

/** `continue`, `exit`, `end`, or the name of a task of the same list. */
export type FlowDirective = string

/** What every task may have (dsl-reference, Task). */
export interface TaskBase {
  readonly if?: string
  readonly input?: Input
  readonly output?: Output
  readonly export?: Export
  readonly timeout?: string | Timeout
  readonly then?: FlowDirective
  readonly metadata?: JsonObject
}

/** What is done for each consumed event or message; `item` and `at` name the variables. */
export interface SubscriptionIterator {
  readonly item?: string
  readonly at?: string
  readonly do?: TaskList
  readonly output?: Output
  readonly export?: Export
}

export interface AsyncApiSubscription {
  readonly filter?: string
  readonly consume: AsyncApiConsumption
  readonly foreach?: SubscriptionIterator
}

/** Exactly one of `channel` and `operation`, and exactly one of `message` and `subscription`. */
export interface AsyncApiArguments {
  readonly document: ExternalResource
  readonly channel?: string
  readonly operation?: string
  readonly server?: { readonly name: string; readonly variables?: JsonObject }
  readonly protocol?: AsyncApiProtocol
  readonly message?: AsyncApiMessage
  readonly subscription?: AsyncApiSubscription
  readonly authentication?: ReferenceableAuthentication
}

/** The arguments of each call that the DSL itself knows, by the value of `call`. */
export interface BuiltInCalls {
  readonly asyncapi: AsyncApiArguments
  readonly grpc: GrpcArguments
  readonly http: HttpArguments
  readonly openapi: OpenApiArguments
  readonly a2a: A2aArguments
  readonly mcp: McpArguments
}

export type BuiltInCall = keyof BuiltInCalls

export interface BuiltInCallTask<Name extends BuiltInCall> extends TaskBase {
  readonly call: Name
  readonly with: BuiltInCalls[Name]
}

/** A call of a function of `use.functions`, of a catalog, or at a URL. */
export interface FunctionCallTask extends TaskBase {
  readonly call: string
  readonly with?: JsonObject
}

/** Told apart by `isCallOf`, since `call` may be any name. */
export type CallTask = { readonly [Name in BuiltInCall]: BuiltInCallTask<Name> }[BuiltInCall] | FunctionCallTask

export interface DoTask extends TaskBase {
  readonly do: TaskList
}

export interface EmitTask extends TaskBase {
  readonly emit: { readonly event: { readonly with?: EventProperties } }
}

/** `metadata.concurrency` of a `for` is how many iterations may run at a time (ours; 1 unless given). */
export interface ForTask extends TaskBase {
  readonly for: {
    readonly each?: string
    readonly in: string | readonly JsonObject[]
    readonly at?: string
  }
  readonly while?: string
  readonly do: TaskList
}

export interface ForkTask extends TaskBase {
  readonly fork: { readonly branches: TaskList; readonly compete?: boolean }
}

export interface ListenTask extends TaskBase {
  readonly listen: { readonly to: EventConsumptionStrategy; readonly read?: EventReadMode }
  readonly foreach?: SubscriptionIterator
}

/** `error` may be the name of one of `use.errors`. */
export interface RaiseTask extends TaskBase {
  readonly raise: { readonly error: string | ErrorDefinition }
}

export interface RunTask extends TaskBase {
  readonly run: RunConfiguration
}

/** A string is a runtime expression. */
export interface SetTask extends TaskBase {
  readonly set: string | JsonObject
}

/** A case without `when` is the default. */
export interface SwitchCase {
  readonly when?: string
  readonly then: FlowDirective
}

export interface SwitchTask extends TaskBase {
  readonly switch: readonly Readonly<Record<string, SwitchCase>>[]
}

/** `as` names the variable of the error, `error` unless given. */
export interface Catch {
  readonly errors?: { readonly with?: ErrorFilter }
  readonly as?: string
  readonly when?: string
  readonly exceptWhen?: string
  readonly retry?: string | RetryPolicy
  readonly do?: TaskList
  readonly then?: FlowDirective
}

export interface TryTask extends TaskBase {
  readonly try: TaskList
  readonly catch: Catch
}

export interface WaitTask extends TaskBase {
  readonly wait: Duration
}

/** Every kind of task by the name that the DSL gives it. */
export interface TasksByKind {
  readonly call: CallTask
  readonly do: DoTask
  readonly emit: EmitTask
  readonly for: ForTask
  readonly fork: ForkTask
  readonly listen: ListenTask
  readonly raise: RaiseTask
  readonly run: RunTask
  readonly set: SetTask
  readonly switch: SwitchTask
  readonly try: TryTask
  readonly wait: WaitTask
}

export type TaskKind = keyof TasksByKind

export type Task = TasksByKind[TaskKind]

/** A task with its kind beside it, for an exhaustive `switch`. */
export type ClassifiedTask = { readonly [Kind in TaskKind]: { readonly kind: Kind; readonly task: TasksByKind[Kind] } }[TaskKind]

/** One entry of a list: an object with the task's name as its only key. */
export type TaskItem = Readonly<Record<string, Task>>

export type TaskList = readonly TaskItem[]
