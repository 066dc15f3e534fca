import type { ExecutionState, Json, JsonObject } from '@millrace/engine'
import type { AccountOperation } from '#modules/account-reads/index.ts'

export const agentOutcomes = ['answered', 'step_limit', 'token_limit', 'cost_limit', 'time_limit', 'faulted', 'cancelled'] as const
export type AgentOutcome = (typeof agentOutcomes)[number]

/** A header of a tool; a secret is inserted when the tool is called. */
export type ToolHeader = string | { readonly secret: string; readonly prefix: string }

interface AnyTool {
  readonly name: string
  /** Whether a person must approve each call. */
  readonly ask: boolean
}

/** A tool of a run, checked and complete. */
export type AgentTool =
  | (AnyTool & {
      readonly kind: 'workflow'
      readonly description: string
      readonly document: { readonly namespace: string; readonly name: string }
      /** Undefined until a run begins, for a tool of a definition. */
      readonly parameters: JsonObject | undefined
    })
  | (AnyTool & {
      readonly kind: 'connector'
      readonly description: string
      /** Its full name, as in `slack.postMessage`. */
      readonly function: string
      readonly connection: string | undefined
      /** Undefined until a run begins, for a tool of a definition. */
      readonly parameters: JsonObject | undefined
    })
  | (AnyTool & {
      readonly kind: 'http'
      readonly description: string
      readonly method: string
      readonly url: string
      readonly headers: Readonly<Record<string, ToolHeader>>
      readonly query: JsonObject | undefined
      readonly body: JsonObject | undefined
    })
  | (AnyTool & {
      readonly kind: 'mcp'
      readonly url: string
      readonly headers: Readonly<Record<string, ToolHeader>>
      readonly tools: readonly string[]
    })
  | (AnyTool & { readonly kind: 'account'; readonly operations: readonly AccountOperation[] })

/** The input of the execution of a run: what a turn needs of the request. */
export interface RunInput {
  readonly runId: string
  readonly goal: string
  readonly data?: Json
  readonly quality: 'fast' | 'strong'
  readonly steps: number
  readonly tokens: number
  /** In millionths of the currency of the prices; absent without a limit. */
  readonly costMicros?: number
  /** Milliseconds since the epoch. */
  readonly deadlineMs: number
  readonly tools: readonly ToolInput[]
}

/** A tool as a turn needs it. */
export interface ToolInput {
  readonly kind: AgentTool['kind']
  readonly name: string
  readonly description: string
  readonly ask: boolean
  /** JSON Schema of the arguments; an MCP server describes its own. */
  readonly parameters?: JsonObject
  /** The URL template of an HTTP tool. */
  readonly url?: string
  /** Names of the permitted tools of an MCP server, or operations of the account. */
  readonly tools?: readonly string[]
}

/** A message of the run, as its execution keeps it. */
export type RunMessage =
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
    }
  | { readonly role: 'tool'; readonly id: string; readonly name: string; readonly ok: boolean; readonly content: Json }

/** What the execution has collected so far. */
export interface RunState {
  readonly messages?: readonly RunMessage[]
  readonly turns?: number
  readonly toolCalls?: number
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly costMicros?: number
  /** Tools of the MCP servers by the name of the tool of the run. */
  readonly mcp?: Readonly<Record<string, readonly Json[]>>
}

/** A run as it is stored. */
export interface AgentRunRow {
  readonly id: string
  readonly request: string
  readonly goal: string
  readonly quality: 'fast' | 'strong'
  readonly workflowId: string
  readonly executionId: string | undefined
  readonly outcome: AgentOutcome | undefined
  readonly answer: string | undefined
  readonly turns: number
  readonly toolCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costMicros: number
  readonly createdBy: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly endedAt: Date | undefined
}

/** A run with the state of its execution. */
export interface AgentRun {
  readonly row: AgentRunRow
  readonly state: ExecutionState
}

/** A run as callers see it. */
export interface ShownAgentRun extends AgentRun {
  /** Why its answer is not shown. */
  readonly withheld?: string
}

/** How a tool was used. */
export interface ToolUse {
  /** Calls that were made. */
  readonly calls: number
  /** Calls that were made and failed. */
  readonly failed: number
  /** Calls that the checks of the run refused. */
  readonly refused: number
  /** Calls that a person approved, and that were made. */
  readonly approved: number
  /** Calls that a person rejected or left unanswered. */
  readonly rejected: number
}

/** Figures of runs. */
export interface AgentStats {
  /** By the name of the tool: those with most calls. */
  readonly tools: Readonly<Record<string, ToolUse>>
  readonly approved: number
  readonly rejected: number
  readonly outcomes: Readonly<Record<string, number>>
  readonly turns: number
  readonly toolCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costMicros: number
  readonly medianMs: number | undefined
  readonly p95Ms: number | undefined
}
