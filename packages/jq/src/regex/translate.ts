/** A pattern for the engine, with the names of its groups: the engine allows each name once, Oniguruma any number of times. */
export interface Translated {
  readonly pattern: string
  readonly names: readonly (string | null)[]
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
  at: number
  pattern: string
  inClass: boolean
}

/**
 * Turns a pattern in Oniguruma's Perl syntax into one for RE2.
 * @param extended white space and comments outside classes are ignored
 */
export function translate(source: string, extended: boolean): Translated {
  const state: State = { source, extended, names: [], at: 0, pattern: '', inClass: false }
  while (state.at < source.length) step(state)
  return { pattern: state.pattern, names: state.names }
}

function take(state: State, length: number, replacement?: string): void {
  state.pattern += replacement ?? state.source.slice(state.at, state.at + length)
  state.at += length
}

function step(state: State): void {
  const character = state.source.charAt(state.at)
  if (character === '\\') escape(state)
  else if (state.inClass) classCharacter(state, character)
  else if (character === '[') {
    state.inClass = true
    // A bracket or caret right at the start belongs to the opening.
    const opening = /^\[\^?\]?/.exec(state.source.slice(state.at))?.[0] ?? '['
    take(state, opening.length, opening.endsWith(']') ? opening.replace(']', '\\]') : opening)
  } else if (character === '(') group(state)
  else if (state.extended && /\s/.test(character)) take(state, 1, '')
  else if (state.extended && character === '#') take(state, /^[^\n]*/.exec(state.source.slice(state.at))?.[0].length ?? 1, '')
  else take(state, 1)
}

function escape(state: State): void {
  const letter = state.source.charAt(state.at + 1)
  const property = /^\\([pP])\{(\^?)(\w+)\}/.exec(state.source.slice(state.at))
  const name = property?.[3]?.toLowerCase()
  const known = name !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
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
    take(state, posix[0].length, known)
    return
  }
  if (character === ']') state.inClass = false
  take(state, 1, character === '[' ? '\\[' : undefined)
}

function group(state: State): void {
  const rest = state.source.slice(state.at)
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
