import type { Duration } from './duration.ts'
import type { Json, JsonObject } from './json.ts'
import type { ExternalResource } from './resource.ts'

/** `after` is there exactly when `cleanup` is `eventually`. */
export interface ContainerLifetime {
  readonly cleanup: 'always' | 'never' | 'eventually'
  readonly after?: Duration
}

export interface ContainerProcess {
  readonly image: string
  readonly name?: string
  readonly command?: string
  readonly ports?: JsonObject
  readonly volumes?: JsonObject
  readonly environment?: JsonObject
  readonly stdin?: string
  readonly arguments?: readonly string[]
  readonly lifetime?: ContainerLifetime
  readonly pullPolicy?: 'ifNotPresent' | 'always' | 'never'
}

/** Exactly one of `code` and `source`. */
export interface ScriptProcess {
  readonly language: string
  readonly code?: string
  readonly source?: ExternalResource
  readonly stdin?: string
  readonly arguments?: readonly string[]
  readonly environment?: JsonObject
}

export interface ShellProcess {
  readonly command: string
  readonly stdin?: string
  readonly arguments?: readonly string[]
  readonly environment?: JsonObject
}

/** `version` may be `latest`. */
export interface WorkflowProcess {
  readonly namespace: string
  readonly name: string
  readonly version: string
  /** Any value, or an expression that gives one. */
  readonly input?: Json
}

export type ProcessReturn = 'stdout' | 'stderr' | 'code' | 'all' | 'none'

/** Exactly one of `container`, `script`, `shell` and `workflow`. */
export interface RunConfiguration {
  readonly container?: ContainerProcess
  readonly script?: ScriptProcess
  readonly shell?: ShellProcess
  readonly workflow?: WorkflowProcess
  readonly await?: boolean
  readonly return?: ProcessReturn
}

/** What a process gives back when `return` is `all`. */
export interface ProcessResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}
