import { tokenize } from '@millrace/jq'

/** What a member of a chain probably lacks of the input that its workflow requires. */
export interface MissingInput {
  readonly kind: 'unmapped' | 'lacking'
  readonly names: readonly string[]
}

/**
 * Compares a mapping with the schema of a workflow's input. Only what is certain counts: that there is no mapping, or that it makes an object whose names are
 * all written out.
 *
 * @param isFirst whether the member gets the input of the chain, for which a person is asked
 */
export function missingInput(schema: unknown, mapping: string, isFirst: boolean): MissingInput | undefined {
  const required = requiredOf(schema)
  if (required.length === 0) return undefined
  if (mapping.trim() === '') return isFirst ? undefined : { kind: 'unmapped', names: required }
  const made = namesMade(mapping)
  const names = made === undefined ? [] : required.filter((name) => !made.has(name))
  return names.length === 0 ? undefined : { kind: 'lacking', names }
}

function requiredOf(schema: unknown): readonly string[] {
  const { required }: { required?: unknown } = Object(schema)
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

const openers = new Set(['(', '[', '{', 'QQSTRING_INTERP_START'])
const closers = new Set([')', ']', '}', 'QQSTRING_INTERP_END'])

/** The names of the object that an expression of the form `{ … }` makes; undefined where they are not certain. */
function namesMade(mapping: string): ReadonlySet<string> | undefined {
  const tokens = tokensOf(mapping)
  if (tokens[0]?.text !== '{') return undefined
  const names = new Set<string>()
  let depth = 0
  for (const [at, { kind, text }] of tokens.entries()) {
    if (closers.has(kind) || closers.has(text)) depth -= 1
    // An object within a longer expression.
    if (depth === 0 && at > 0 && at < tokens.length - 1) return undefined
    if (openers.has(kind) || openers.has(text)) depth += 1
    const beginsEntry = depth === 1 && (at === 0 || text === ',')
    if (!beginsEntry || tokens[at + 1]?.text === '}') continue
    const name = nameAt(tokens, at + 1)
    if (name === undefined) return undefined
    names.add(name)
  }
  return depth === 0 ? names : undefined
}

type Tokens = ReturnType<typeof tokenize>

function nameAt(tokens: Tokens, at: number): string | undefined {
  const [first, second, third] = tokens.slice(at, at + 3)
  if (first?.kind === 'IDENT' || first?.kind === 'keyword') return first.text
  if (first?.kind === 'BINDING') return first.text.replace(/^\$/, '')
  return first?.kind === 'QQSTRING_START' && second?.kind === 'QQSTRING_TEXT' && third?.kind === 'QQSTRING_END' ? second.text : undefined
}

function tokensOf(mapping: string): Tokens {
  try {
    return tokenize(mapping).filter(({ kind }) => kind !== 'end of file')
  } catch {
    return []
  }
}
