/** A node of an export as n8n writes it. @param type without its package, for one of `n8n-nodes-base`. */
export function node(name: string, type: string, parameters: object = {}, more: object = {}) {
  const full = type.includes('.') ? type : `n8n-nodes-base.${type}`
  return { id: name, name, type: full, typeVersion: 3, position: [0, 0], parameters, ...more }
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
