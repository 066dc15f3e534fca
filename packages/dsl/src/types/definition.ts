import type { AuthenticationPolicy } from './authentication.ts'
import type { Input, Output } from './data.ts'
import type { Duration, Timeout } from './duration.ts'
import type { EventConsumptionStrategy, EventReadMode } from './event.ts'
import type { ErrorDefinition, RetryPolicy } from './fault.ts'
import type { JsonObject } from './json.ts'
import type { Catalog } from './resource.ts'
import type { Task, TaskKind, TaskList } from './task.ts'

/** Who the workflow is: `namespace/name:version`, written in `dsl`. */
export interface DocumentInfo {
  readonly dsl: string
  readonly namespace: string
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly summary?: string
  readonly tags?: JsonObject
  readonly metadata?: JsonObject
}

/** `composite` means the tasks that hold others in sequence: `do`. */
export type ExtensionTarget = Exclude<TaskKind, 'do' | 'fork'> | 'composite' | 'all'

/** Tasks done before and after every task of a kind (dsl-reference, Extension). */
export interface Extension {
  readonly extend: ExtensionTarget
  readonly when?: string
  readonly before?: TaskList
  readonly after?: TaskList
}

/** The reusable components of the workflow, by name. */
export interface Use {
  readonly authentications?: Readonly<Record<string, AuthenticationPolicy>>
  readonly errors?: Readonly<Record<string, ErrorDefinition>>
  readonly extensions?: readonly Readonly<Record<string, Extension>>[]
  readonly functions?: Readonly<Record<string, Task>>
  readonly retries?: Readonly<Record<string, RetryPolicy>>
  readonly secrets?: readonly string[]
  readonly timeouts?: Readonly<Record<string, Timeout>>
  readonly catalogs?: Readonly<Record<string, Catalog>>
}

export interface Schedule {
  readonly every?: Duration
  readonly cron?: string
  readonly after?: Duration
  readonly on?: EventConsumptionStrategy
  readonly read?: EventReadMode
}

export interface Evaluate {
  readonly language?: string
  readonly mode?: 'strict' | 'loose'
}

/** A workflow definition of the Open Workflow Specification DSL 1.0.3. */
export interface Definition {
  readonly document: DocumentInfo
  readonly input?: Input
  readonly use?: Use
  readonly do: TaskList
  readonly timeout?: string | Timeout
  readonly output?: Output
  readonly schedule?: Schedule
  readonly evaluate?: Evaluate
}
