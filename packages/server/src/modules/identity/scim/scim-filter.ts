import { ScimFault } from './scim-fault.ts'

type Value = string | number | boolean | null
const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
type Comparison = (typeof comparisons)[number]

/** A filter of RFC 7644, section 3.4.2.2. Paths are in lower case, without the name of their schema. */
export type ScimFilter =
  | { readonly kind: 'and' | 'or'; readonly left: ScimFilter; readonly right: ScimFilter }
  | { readonly kind: 'not'; readonly of: ScimFilter }
  | { readonly kind: 'present'; readonly path: string }
  | { readonly kind: 'compare'; readonly path: string; readonly by: Comparison; readonly value: Value }
  /** Some item of a list passes. */
  | { readonly kind: 'some'; readonly path: string; readonly of: ScimFilter }

const lengthMax = 2_000
const depthMax = 20
const token = /\s*(?:(?<mark>[()[\]])|(?<text>"(?:[^"\\]|\\.)*")|(?<word>[^\s()[\]"]+))/y

/** Parses a filter; a ScimFault `invalidFilter` for any other text. */
export function parseFilter(text: string): ScimFilter {
  if (text.length > lengthMax) throw refuse(`has over ${lengthMax} characters`)
  const tokens = tokensOf(text)
  let at = 0
  let depth = 0

  function expect(mark: string): void {
    if (tokens[at] !== mark) throw refuse(`lacks ${mark}`)
    at += 1
  }

  function disjunction(): ScimFilter {
    if (++depth > depthMax) throw refuse('nests too deeply')
    let left = conjunction()
    while (wordAt(tokens, at) === 'or') {
      at += 1
      left = { kind: 'or', left, right: conjunction() }
    }
    depth -= 1
    return left
  }

  function conjunction(): ScimFilter {
    let left = term()
    while (wordAt(tokens, at) === 'and') {
      at += 1
      left = { kind: 'and', left, right: term() }
    }
    return left
  }

  function group(): ScimFilter {
    expect('(')
    const inner = disjunction()
    expect(')')
    return inner
  }

  function term(): ScimFilter {
    if (tokens[at] === '(') return group()
    if (wordAt(tokens, at) === 'not' && tokens[at + 1] === '(') {
      at += 1
      return { kind: 'not', of: group() }
    }
    const path = pathOf(tokens[at++])
    if (tokens[at] === '[') {
      at += 1
      const of = disjunction()
      expect(']')
      return { kind: 'some', path, of }
    }
    const by = wordAt(tokens, at++)
    if (by === 'pr') return { kind: 'present', path }
    const comparison = comparisons.find((known) => known === by)
    if (comparison === undefined) throw refuse(`has no operator after ${path}`)
    return { kind: 'compare', path, by: comparison, value: valueOf(tokens[at++]) }
  }

  const filter = disjunction()
  if (at < tokens.length) throw refuse('has text after its end')
  return filter
}

/** Whether a resource, or an item of a list, passes a filter. */
export function passes(filter: ScimFilter, resource: unknown): boolean {
  switch (filter.kind) {
    case 'and':
      return passes(filter.left, resource) && passes(filter.right, resource)
    case 'or':
      return passes(filter.left, resource) || passes(filter.right, resource)
    case 'not':
      return !passes(filter.of, resource)
    case 'present':
      return valuesAt(resource, filter.path).some((value) => value !== '')
    case 'some':
      return valuesAt(resource, filter.path).some((item) => passes(filter.of, item))
    case 'compare': {
      const values = valuesAt(resource, filter.path).map((value) => (isObject(value) ? member(value, 'value') : value))
      if (filter.by === 'ne') return !values.some((value) => compares('eq', value, filter.value))
      if (values.length === 0) return filter.by === 'eq' && filter.value === null
      return values.some((value) => compares(filter.by, value, filter.value))
    }
  }
}

/** How many comparisons a filter makes of one resource, apart from lists in it. */
export function comparisonsOf(filter: ScimFilter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return comparisonsOf(filter.left) + comparisonsOf(filter.right)
    case 'not':
    case 'some':
      return comparisonsOf(filter.of)
    case 'present':
    case 'compare':
      return 1
  }
}

function compares(by: Comparison, given: unknown, wanted: Value): boolean {
  if (typeof given === 'string' && typeof wanted === 'string') {
    // No attribute of ours is case-exact, except ids, whose letters are all small.
    const [one, other] = [given.toLowerCase(), wanted.toLowerCase()]
    if (by === 'co') return one.includes(other)
    if (by === 'sw') return one.startsWith(other)
    if (by === 'ew') return one.endsWith(other)
    return ordered(by, one < other ? -1 : one > other ? 1 : 0)
  }
  if (typeof given === 'number' && typeof wanted === 'number') return ordered(by, given - wanted)
  // Some directories send booleans as texts.
  if (typeof given === 'boolean') return by === 'eq' && String(given) === String(wanted).toLowerCase()
  return false
}

function ordered(by: Comparison, order: number): boolean {
  if (by === 'eq') return order === 0
  if (by === 'gt') return order > 0
  if (by === 'ge') return order >= 0
  if (by === 'lt') return order < 0
  return by === 'le' && order <= 0
}

/** The values at a path such as `emails.value`; of a list, those of every item. */
function valuesAt(resource: unknown, path: string): readonly unknown[] {
  let values: readonly unknown[] = [resource]
  for (const name of path.split('.'))
    values = values.flatMap((value) => [isObject(value) ? member(value, name) : undefined].flat()).filter((value) => value !== undefined)
  return values
}

/** A member by its name in lower case. */
export function member(value: object, name: string): unknown {
  return Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1]
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A path in lower case, without the name of its schema. */
export function pathOf(text: string | undefined): string {
  const path = /^(?:urn:.*:)?(?<path>[A-Za-z$][\w$-]*(?:\.[A-Za-z$][\w$-]*)?)$/.exec(text ?? '')?.groups?.['path']
  if (path === undefined) throw refuse(`has ${text === undefined ? 'no attribute at its end' : `no attribute at ${text.slice(0, 100)}`}`)
  return path.toLowerCase()
}

function valueOf(text: string | undefined): Value {
  try {
    const value: unknown = JSON.parse(text?.startsWith('"') === false ? text.toLowerCase() : (text ?? ''))
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  } catch {
    // Refused below.
  }
  throw refuse(`has no value ${text === undefined ? 'at its end' : `at ${text.slice(0, 100)}`}`)
}

const wordAt = (tokens: readonly string[], at: number) => tokens[at]?.toLowerCase()

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = []
  const trimmed = text.trim()
  token.lastIndex = 0
  while (token.lastIndex < trimmed.length) {
    const at = token.lastIndex
    const found = token.exec(trimmed)
    if (found === null) throw refuse(`cannot be read at character ${at + 1}`)
    tokens.push(found[0].trim())
  }
  return tokens
}

function refuse(reason: string): ScimFault {
  return new ScimFault(400, `The filter ${reason}.`, 'invalidFilter')
}
