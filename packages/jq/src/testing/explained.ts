import { equals } from '#src/values/compare.ts'
import { parseJson } from '#src/values/json-parse.ts'
import { isArray, isObject } from '#src/values/value.ts'
import type { Sample } from './generate-program.ts'

/** A kind of difference that is known, and why it is left. */
export interface Explanation {
  readonly reason: string
  /** The largest share of all programs that it may explain. */
  readonly shareMax: number
  readonly applies: (sample: Sample, theirs: string, ours: string) => boolean
}

export const explanations: readonly Explanation[] = [
  {
    reason:
      'jq follows paths into the sources of reduce and foreach, into destructuring and through built-ins that it defines with paths, and refuses there what fails here a step later or earlier: both fail, after the same outputs, and one of them with an invalid path',
    shareMax: 0.005,
    applies: (_sample, theirs, ours) => failAlike(theirs, ours) && /Invalid path expression/.test(theirs + ours),
  },
  {
    reason: 'the same, where the program catches the error or null makes jq take one path for another, so that outputs differ',
    shareMax: 0.0005,
    applies: ({ program }) =>
      /\b(?:reduce|foreach|gsub|INDEX|ascii_upcase|ascii_downcase)\b|@text| as [[{]/.test(program) &&
      /\b(?:path|paths|del|pick)\(|(?:[-+*/%|]|\/\/)=/.test(program),
  },
  {
    reason: 'jq moves on from an empty match by one byte, so it finds matches inside characters that are not ASCII',
    shareMax: 0.005,
    applies: ({ program, input }) => /\((?:""|"\[\^a\]\+"|"\^a"|"b\$")/.test(program) && /é|😀/.test(program + input),
  },
  {
    reason: 'jq prints a zero that was negated as a literal without its sign, and one that was computed with it',
    shareMax: 0.005,
    applies: (_sample, theirs, ours) => theirs.replace(/-0\b(?!\.)/g, '0') === ours.replace(/-0\b(?!\.)/g, '0'),
  },
  {
    reason: 'JavaScript keeps keys that look like array indexes in numeric order before all others',
    shareMax: 0.005,
    applies: (_sample, theirs, ours) => equals(parseJson(theirs), parseJson(ours)),
  },
  {
    reason: 'jq leaves a stream early by raising an error, which `?//` takes for a failed match',
    shareMax: 0.005,
    applies: ({ program }) => program.includes('?//') && /\b(?:first|limit|label|any|all|isempty|IN|nth)\b/.test(program),
  },
]

/** Whether two observations hold the same outputs and then an error each. */
function failAlike(theirs: string, ours: string): boolean {
  const a = parseJson(theirs)
  const b = parseJson(ours)
  if (!isArray(a) || !isArray(b) || a.length !== b.length) return false
  return equals(a.slice(0, -1), b.slice(0, -1)) && [a.at(-1), b.at(-1)].every((last) => last !== undefined && isObject(last) && 'e' in last)
}
