export interface Challenge {
  /** In lower case. */
  readonly scheme: string
  /** Names in lower case, values unquoted. */
  readonly params: Readonly<Record<string, string>>
}

/**
 * Reads `WWW-Authenticate`, several headers joined with commas included; what cannot be read ends the list.
 * Source: RFC 9110, section 11.6.1.
 */
export function parseChallenges(header: string): readonly Challenge[] {
  const challenges: { scheme: string; params: Record<string, string> }[] = []
  let at = 0
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(header)
    if (match !== null) at = pattern.lastIndex
    return match
  }
  for (;;) {
    next(separators)
    const param = next(parameter)
    const last = challenges.at(-1)
    if (param?.[1] !== undefined && last !== undefined) {
      last.params[param[1].toLowerCase()] = param[2]?.replace(/\\(.)/g, '$1') ?? param[3] ?? ''
      continue
    }
    const scheme = param === null ? next(word) : null
    if (scheme === null) return challenges
    challenges.push({ scheme: scheme[0].toLowerCase(), params: {} })
    next(token68)
  }
}

const separators = /[\s,]*/y
const word = /[\w!#$%&'*+.^`|~-]+/y
const parameter = /([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([\w!#$%&'*+.^`|~/:-]+))/y
/** The other thing that may follow a scheme, as in `Negotiate YII=`. */
const token68 = /[ \t]+[\w.~+/-]+=*[ \t]*(?=,|$)/y
