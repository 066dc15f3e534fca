const addressLine = /\b(?:endpoint|uri|url)\b["']?\s*:\s*(?:\r?\n\s*)?(.*)/gi
const address = /https?:\/\/([a-z0-9.-]+(?::\d+)?)/gi

/** Hosts that a definition calls and that nothing in the request names: a model may have invented them. */
export function unnamedHosts(definition: string, request: string): readonly string[] {
  const named = request.toLowerCase()
  const lines = [...definition.matchAll(addressLine)].map((match) => match[1] ?? '')
  const hosts = lines.flatMap((line) => [...line.matchAll(address)].map((match) => (match[1] ?? '').toLowerCase()))
  return [...new Set(hosts)].filter((host) => host !== '' && !named.includes(host))
}
