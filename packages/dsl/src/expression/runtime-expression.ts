/** Matches what the DSL's schema calls a runtime expression, over several lines as well. */
const pattern = /^\s*\$\{([^]+)\}\s*$/

/** Whether the whole string is one `${ … }`. */
export function isRuntimeExpression(value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value)
}

/** A jq source and the offset at which it begins in the string that it came from. */
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
