import { RE2JS } from 're2js'
import type { Finding } from './finding.ts'

/** A pattern of an account. RE2 matches in linear time, whatever the pattern is. */
export interface CustomRule {
  readonly name: string
  readonly pattern: string
  readonly score: number
}

/** Why a pattern cannot be used, or undefined. */
export function patternFault(pattern: string): string | undefined {
  try {
    const compiled = RE2JS.compile(pattern)
    return compiled.matcher('').matches() ? 'Must not match the empty text.' : undefined
  } catch (error) {
    return `Not a regular expression of RE2: ${error instanceof Error ? error.message : String(error)}`
  }
}

export function findCustom(text: string, rules: readonly CustomRule[]): Finding[] {
  return rules.flatMap(({ name, pattern, score }) => {
    const matcher = RE2JS.compile(pattern).matcher(text)
    const found: Finding[] = []
    while (matcher.find())
      if (matcher.end() > matcher.start())
        found.push({ kind: 'custom', rule: `custom.${name}`, start: matcher.start(), end: matcher.end(), score })
    return found
  })
}
