import type { HttpCallContext } from '#effects/http/context.ts'
import type { HttpCallLimits } from '#effects/http/index.ts'

export interface McpCallLimits extends HttpCallLimits {
  /** How long a call may take that sets no `timeout`, the session's beginning and end included. */
  readonly timeoutMs: number
  /** How long a call may take whatever its `timeout` says. */
  readonly timeoutMsMax: number
}

/** Everything that a call needs beside its arguments. */
export interface McpCallContext extends HttpCallContext {
  readonly limits: McpCallLimits
  /** This installation's version, which is sent to servers. */
  readonly version: string
}
