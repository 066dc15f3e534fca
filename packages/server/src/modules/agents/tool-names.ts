import type { AgentTool } from './model.ts'

const nameMax = 64

/** What the names of a tool follow from. */
type NamedTool =
  | { readonly name: string; readonly kind: Exclude<AgentTool['kind'], 'mcp' | 'account'> }
  | { readonly name: string; readonly kind: 'mcp'; readonly tools: readonly string[] }
  | { readonly name: string; readonly kind: 'account'; readonly operations: readonly string[] }

/** The name by which a model calls a tool of an MCP server, or an operation of the account. */
export const offeredName = (server: string, name: string) => `${server}_${name}`.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, nameMax)

/** A name of a tool, or one by which a model would call it, that a tool before it has. */
export function takenName(tools: readonly NamedTool[], index: number): string | undefined {
  const before = new Set(tools.slice(0, index).flatMap(namesOf))
  return tools
    .slice(index, index + 1)
    .flatMap(namesOf)
    .find((name, position, own) => before.has(name) || own.indexOf(name) !== position)
}

function namesOf(tool: NamedTool): readonly string[] {
  const parts = tool.kind === 'mcp' ? tool.tools : tool.kind === 'account' ? tool.operations : []
  return [tool.name, ...[...new Set(parts)].map((part) => offeredName(tool.name, part))]
}
