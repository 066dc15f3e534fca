import { createPatternCost, type PatternCost } from './pattern-cost.ts'

/** A pattern for the engine, with the names of its groups: the engine allows each name once, Oniguruma any number of times. */
export interface Translated {
  readonly pattern: string
  readonly names: readonly (string | null)[]
  /** The cost of compiling it, in steps. */
  readonly steps: number
}

// Oniguruma's classes are Unicode classes; the engine's short forms are ASCII.
const digit = '\\p{Nd}'
const word = '\\p{L}\\p{M}\\p{N}\\p{Pc}'
const space = '\\t-\\r \\x{85}\\p{Z}'

const outsideClass: Readonly<Record<string, string>> = {
  d: `[${digit}]`,
  D: `[^${digit}]`,
  w: `[${word}]`,
  W: `[^${word}]`,
  s: `[${space}]`,
  S: `[^${space}]`,
  Z: '\\n?\\z',
  N: '[^\\n]',
  O: '(?s:.)',
  R: '(?:\\r\\n|[\\n-\\r\\x{85}\\x{2028}\\x{2029}])',
  e: '\\x{1b}',
}
/** Letters that mean nothing after a backslash stand for themselves. */
const meaningless = /[CEFHIJLMTUVhijlmoqu]/
const insideClass: Readonly<Record<string, string>> = { d: digit, D: '\\P{Nd}', w: word, s: space }

/** POSIX names that Oniguruma takes as properties. */
const properties: Readonly<Record<string, string>> = {
  alpha: '\\p{L}\\p{M}\\p{Nl}',
  digit,
  alnum: '\\p{L}\\p{M}\\p{N}',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  space,
  punct: '\\p{P}\\p{S}',
  word,
}

interface State {
  readonly source: string
  readonly extended: boolean
  readonly names: (string | null)[]
  readonly cost: PatternCost
  at: number
  pattern: string
  inClass: boolean
}

/**
 * Turns a pattern in Oniguruma's Perl syntax into one for RE2.
 * @param extended white space and comments outside classes are ignored
 * @param folds whether case is ignored
 */
export function translate(source: string, extended: boolean, folds: boolean): Translated {
  const state: State = { source, extended, names: [], cost: createPatternCost(folds), at: 0, pattern: '', inClass: false }
  while (state.at < source.length) step(state)
  return { pattern: state.pattern, names: state.names, steps: state.cost.steps() }
}

function take(state: State, length: number, replacement?: string): void {
  state.pattern += replacement ?? state.source.slice(state.at, state.at + length)
  state.at += length
}

function step(state: State): void {
  const character = state.source.charAt(state.at)
  if (character === '\\') {
    escape(state)
    state.cost.atom()
  } else if (state.inClass) {
    classCharacter(state, character)
    state.cost.atom()
  } else if (character === '{') repetition(state)
  else if (character === ')') {
    take(state, 1)
    state.cost.close()
  } else if (character === '[') {
    state.inClass = true
    state.cost.atom()
    // A bracket or caret right at the start belongs to the opening.
    const opening = /^\[\^?\]?/.exec(state.source.slice(state.at))?.[0] ?? '['
    take(state, opening.length, opening.endsWith(']') ? opening.replace(']', '\\]') : opening)
  } else if (character === '(') group(state)
  else if (state.extended && /\s/.test(character)) take(state, 1, '')
  else if (state.extended && character === '#') take(state, /^[^\n]*/.exec(state.source.slice(state.at))?.[0].length ?? 1, '')
  else {
    take(state, 1)
    // A sign of repetition belongs to the atom before it.
    if (!/[*+?]/.test(character)) state.cost.atom()
  }
}

function repetition(state: State): void {
  const [whole, least = '', , most = ''] = /^\{(\d*)(,(\d*))?\}/.exec(state.source.slice(state.at, state.at + 32)) ?? []
  if (whole === undefined) {
    state.cost.atom()
    return take(state, 1)
  }
  state.cost.repeat(Math.max(Number(least), Number(most)))
  take(state, whole.length)
}

function escape(state: State): void {
  const letter = state.source.charAt(state.at + 1)
  const property = /^\\([pP])\{(\^?)(\w+)\}/.exec(state.source.slice(state.at))
  const name = property?.[3]?.toLowerCase()
  const known = name !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
  if (/[pPwW]/.test(letter)) state.cost.table()
  if (property !== null && known !== undefined) {
    const negated = (property[1] === 'P') !== (property[2] === '^')
    take(state, property[0].length, state.inClass ? known : `[${negated ? '^' : ''}${known}]`)
    return
  }
  const table = state.inClass ? insideClass : outsideClass
  take(state, 2, Object.hasOwn(table, letter) ? table[letter] : meaningless.test(letter) ? letter : undefined)
}

function classCharacter(state: State, character: string): void {
  const posix = /^\[:(\^?)(\w+):\]/.exec(state.source.slice(state.at))
  const name = posix?.[2]
  if (posix !== null && name !== undefined) {
    const known = posix[1] === '' && Object.hasOwn(properties, name) ? properties[name] : undefined
    state.cost.table()
    take(state, posix[0].length, known)
    return
  }
  if (character === ']') state.inClass = false
  if (character === '-') state.cost.range(state.source.codePointAt(state.at - 1) ?? 0, endOfRange(state))
  take(state, 1, character === '[' ? '\\[' : undefined)
}

/** The last character of a range, which is taken to be a long one where it is written in another way. */
function endOfRange({ source, at }: State): number {
  const character = source.charAt(at + 1)
  return character === '\\' ? 0x10ffff : (source.codePointAt(at + 1) ?? 0)
}

function group(state: State): void {
  const rest = state.source.slice(state.at)
  if (!rest.startsWith('(?#')) state.cost.open()
  const named = /^\(\?P?<([A-Za-z_]\w*)>/.exec(rest)
  if (named !== null) {
    state.names.push(named[1] ?? null)
    take(state, named[0].length, '(')
  } else if (rest.startsWith('(?#')) {
    const end = rest.indexOf(')')
    take(state, end < 0 ? rest.length : end + 1, '')
  } else {
    if (!rest.startsWith('(?')) state.names.push(null)
    take(state, 1)
  }
}
