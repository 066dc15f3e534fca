/** What an address asks for by `at` to open the dialog of a new variable with its name and kind. */
export function newVariableAsked(kind: 'secrets' | 'variables', name: string): string {
  return `new/${kind}/${name}`
}

/** The variable that an address asks for. */
export function askedVariable(at: string | undefined): { readonly name: string; readonly kind: 'secret' | 'text' } | undefined {
  const [, kind, name] = /^new\/(secrets|variables)\/(.+)$/.exec(at ?? '') ?? []
  return name === undefined ? undefined : { name, kind: kind === 'secrets' ? 'secret' : 'text' }
}
