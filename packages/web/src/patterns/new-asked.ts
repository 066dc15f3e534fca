type Asked = 'secrets' | 'variables' | 'connections'

/** What an address asks for by `at` to open the dialog of a new variable or connection with its name. */
export function newAsked(kind: Asked, name: string): string {
  return `new/${kind}/${name}`
}

/** The variable that an address asks for. */
export function askedVariable(at: string | undefined): { readonly name: string; readonly kind: 'secret' | 'text' } | undefined {
  const [, kind, name] = /^new\/(secrets|variables)\/(.+)$/.exec(at ?? '') ?? []
  return name === undefined ? undefined : { name, kind: kind === 'secrets' ? 'secret' : 'text' }
}

/** The name of the connection that an address asks for. */
export function askedConnection(at: string | undefined): string | undefined {
  return /^new\/connections\/(.+)$/.exec(at ?? '')?.[1]
}
