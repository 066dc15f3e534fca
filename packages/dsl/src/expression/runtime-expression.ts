/** Matches a runtime expression of the DSL's schema, also over several lines. */
const pattern = /^\s*\$\{([^]+)\}\s*$/

/** Whether the whole string is one `${ … }`. */
export function isRuntimeExpression(value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value)
}

/** A jq source and its offset in the string that contains it. */
export interface UnwrappedExpression {
  readonly source: string
  readonly offset: number
}

/** The jq source of `${ … }`, or of a bare expression in the places that always take one. */
export function unwrapExpression(value: string): string {
  return locateExpression(value).source
}

export function locateExpression(value: string): UnwrappedExpression {
  if (!pattern.test(value)) return { source: value, offset: 0 }
  const offset = value.indexOf('${') + 2
  return { source: value.slice(offset, value.lastIndexOf('}')), offset }
}
