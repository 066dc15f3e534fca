/** A token of the part of JavaScript that expressions of n8n commonly use. */
export interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'template' | 'sign'
  readonly text: string
}

const signs = [
  '===',
  '!==',
  '?.[',
  '...',
  '=>',
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '??',
  '?.',
  '+',
  '-',
  '*',
  '/',
  '%',
  '<',
  '>',
  '!',
  '?',
  ':',
  '.',
  ',',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  ';',
]
const space = /\s+/y
const name = /[A-Za-z_$][\w$]*/y
const number = /\d+(?:\.\d+)?(?![\w.])/y
const text = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y
const template = /`(?:[^`\\]|\\.)*`/y

/** The tokens of an expression, or undefined where it contains something else. */
export function tokensOf(source: string): Token[] | undefined {
  const tokens: Token[] = []
  let position = 0
  const read = (pattern: RegExp) => {
    pattern.lastIndex = position
    const found = pattern.exec(source)?.[0]
    if (found !== undefined) position += found.length
    return found
  }
  while (position < source.length) {
    if (tokens.length > 2000) return undefined
    if (read(space) !== undefined) continue
    const token = tokenAt(read) ?? signAt(source, position)
    if (token === undefined) return undefined
    if (token.kind === 'sign') position += token.text.length
    tokens.push(token)
  }
  return tokens
}

function tokenAt(read: (pattern: RegExp) => string | undefined): Token | undefined {
  for (const [kind, pattern] of [
    ['name', name],
    ['number', number],
    ['text', text],
    ['template', template],
  ] as const) {
    const found = read(pattern)
    if (found === undefined) continue
    if (kind === 'name' || kind === 'number') return { kind, text: found }
    const plain = unescaped(found.slice(1, -1))
    return plain === undefined ? undefined : { kind, text: plain }
  }
  return undefined
}

function signAt(source: string, position: number): Token | undefined {
  const found = signs.find((sign) => source.startsWith(sign, position))
  return found === undefined || (found === '/' && '/*'.includes(source[position + 1] ?? ' ')) ? undefined : { kind: 'sign', text: found }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"', "'": "'", '`': '`', $: '$' }

function unescaped(quoted: string): string | undefined {
  let certain = true
  const plain = quoted.replace(/\\(.)/gs, (_, letter: string) => {
    const meant = escapes[letter]
    if (meant === undefined) certain = false
    return meant ?? ''
  })
  return certain ? plain : undefined
}
