const namesMax = 500

/** A call of a function of a connector, `name.operation`, in YAML or JSON. Text that only looks like one costs a look-up. */
const pattern = /\bcall["']?\s*:\s*["']?([a-z][a-z0-9-]{0,62}\.[A-Za-z0-9_-]{1,100})(?![A-Za-z0-9_.-])/g

/** The names of functions of connectors that a definition calls. */
export function connectorCalls(given: string | object): readonly string[] {
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  const names = new Set([...text.matchAll(pattern)].map(([, name = '']) => name))
  return [...names].slice(0, namesMax)
}
