interface Listed {
  readonly name: string
  readonly connector: string | null
  readonly origin: string
}

const functionsMax = 40

/** The names of the functions that a model learns of: those of the connectors that the request names, then those of the account. */
export function chooseFunctions(listed: readonly Listed[], request: string): readonly string[] {
  const words = new Set(request.toLowerCase().split(/[^a-z0-9-]+/))
  const isNamed = ({ connector }: Listed) => connector !== null && words.has(connector)
  const own = listed.filter((each) => each.origin === 'account' && !isNamed(each))
  return [...listed.filter(isNamed), ...own].slice(0, functionsMax).map(({ name }) => name)
}
