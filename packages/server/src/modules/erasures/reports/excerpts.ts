import type { JsonValue } from '@millrace/contract'
import type { Needle } from '#modules/erasures/needles.ts'

/** A place in a value where a person is named. */
export interface Excerpt {
  /** JSON Pointer. */
  readonly at: string
  readonly text: string
}

const aroundCharacters = 60

/** The places of a value that contain a needle, each with what is close to it. */
export function excerptsOf(value: JsonValue, needles: readonly Needle[], at = ''): readonly Excerpt[] {
  if (typeof value === 'string') return excerptOf(value, needles).map((text) => ({ at, text }))
  if (typeof value === 'number') return excerptOf(String(value), needles).map((text) => ({ at, text }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]: [string, JsonValue]) => {
    const pointer = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const named = Array.isArray(value) ? [] : excerptOf(name, needles).map((text) => ({ at: pointer, text }))
    return [...named, ...excerptsOf(member, needles, pointer)]
  })
}

function excerptOf(text: string, needles: readonly Needle[]): readonly string[] {
  const needle = needles.find(({ regexp }) => text.search(regexp) >= 0)
  const match = needle === undefined ? undefined : text.matchAll(needle.regexp).next().value
  if (match === undefined) return []
  const [from, to] = [Math.max(0, match.index - aroundCharacters), match.index + match[0].length + aroundCharacters]
  return [`${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`]
}
