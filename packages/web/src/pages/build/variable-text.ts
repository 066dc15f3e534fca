type Kind = 'text' | 'number' | 'boolean' | 'json' | 'secret'

/** The value of a variable as its field has it: that of JSON always as JSON, in which the text "5" is another value than the number. Empty for one that is not shown. */
export function variableText({ kind, value }: { readonly kind: Kind; readonly value?: unknown }): string {
  if (value === undefined) return ''
  return kind !== 'json' && typeof value === 'string' ? value : JSON.stringify(value)
}
