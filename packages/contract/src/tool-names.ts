/** A name begins with a letter, and leaves room for what is called by it as a prefix. */
export const toolNamePattern = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/

/** What a name must do, in words. */
export const toolNameWords = 'begin with a letter, followed by letters, digits, - and _, at most 40 characters'

const offeredMax = 64

/** What the names of a tool follow from. */
export type NamedTool =
  | { readonly name: string; readonly kind: 'workflow' | 'connector' | 'http' }
  | { readonly name: string; readonly kind: 'mcp'; readonly tools: readonly string[] }
  | { readonly name: string; readonly kind: 'account'; readonly operations: readonly string[] }

/** The name by which a model calls a tool of an MCP server, or an operation of the account. */
export const offeredName = (server: string, name: string) => `${server}_${name}`.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, offeredMax)

/** The tools, by their index, of which a name, or one by which a model would call them, is taken by a tool before or by the tool itself. */
export function takenNames(tools: readonly NamedTool[]): ReadonlyMap<number, string> {
  const seen = new Set<string>()
  const taken = new Map<number, string>()
  for (const [index, tool] of tools.entries())
    for (const name of namesOf(tool)) {
      if (seen.has(name) && !taken.has(index)) taken.set(index, name)
      seen.add(name)
    }
  return taken
}

function namesOf(tool: NamedTool): readonly string[] {
  const parts = tool.kind === 'mcp' ? tool.tools : tool.kind === 'account' ? tool.operations : []
  return [tool.name, ...[...new Set(parts)].map((part) => offeredName(tool.name, part))]
}
