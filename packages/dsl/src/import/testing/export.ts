/** A node of an export as n8n writes it. */
export function node(name: string, type: string, parameters: object = {}, more: object = {}) {
  return { id: name, name, type: `n8n-nodes-base.${type}`, typeVersion: 3, position: [0, 0], parameters, ...more }
}

/** An export with connections written as `[from, output, to, input]`. */
export function exportOf(nodes: readonly object[], edges: readonly (readonly [string, number, string, number?])[]) {
  const connections: Record<string, { main: { node: string; type: string; index: number }[][] }> = {}
  for (const [from, output, to, index = 0] of edges) {
    const outputs = (connections[from] ??= { main: [] }).main
    while (outputs.length <= output) outputs.push([])
    outputs[output]?.push({ node: to, type: 'main', index })
  }
  return { name: 'Orders', nodes, connections }
}
