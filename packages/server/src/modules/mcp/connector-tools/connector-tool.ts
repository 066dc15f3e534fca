import type { JsonObject } from '@millrace/engine'

export const toolPermissions = ['ask', 'allow'] as const
export type ToolPermission = (typeof toolPermissions)[number]

/** A function of a connector that MCP clients of the account have as a tool. */
export interface ConnectorTool {
  /** Its full name, as in `slack.postMessage`. */
  readonly function: string
  readonly summary: string
  readonly connection: string | undefined
  /** `ask`: a person confirms each call. */
  readonly permission: ToolPermission
  /** Of the compiled definition. */
  readonly digest: string
  readonly workflowId: string
  readonly updatedAt: Date
  /** As `kind:id`. */
  readonly updatedBy: string
}

/** What a function of a connector takes. */
export interface OfferedFunction {
  readonly summary: string
  readonly input: JsonObject
}
