import { equals } from '#src/values/compare.ts'
import { parseJson } from '#src/values/json-parse.ts'
import type { Sample } from './generate-program.ts'

/** A kind of difference that is known, and why it is left. */
export interface Explanation {
  readonly reason: string
  readonly applies: (sample: Sample, theirs: string, ours: string) => boolean
}

export const explanations: readonly Explanation[] = [
  {
    reason:
      'jq follows paths into the sources of reduce and foreach and into destructuring, where it then mostly fails; here they are plain values, and what jq refuses as an invalid path may work or fail later',
    applies: (_sample, theirs, ours) => /Invalid path expression/.test(theirs) || /Invalid path expression/.test(ours),
  },
  {
    reason: 'the same, where null makes jq take one path for another, or where the program catches the error',
    applies: ({ program }) => /\b(?:reduce|foreach|gsub)\b/.test(program) && /path|del|pick|[^=!<>]=[^=]/.test(program),
  },
  {
    reason: 'jq moves on from an empty match by one byte, so it finds matches inside characters that are not ASCII',
    applies: ({ program, input }) => /\((?:""|"\[\^a\]\+"|"\^a"|"b\$")/.test(program) && /é|😀/.test(program + input),
  },
  {
    reason: 'jq prints a zero that was negated as a literal without its sign, and one that was computed with it',
    applies: (_sample, theirs, ours) => theirs.replace(/-0\b(?!\.)/g, '0') === ours.replace(/-0\b(?!\.)/g, '0'),
  },
  {
    reason: 'JavaScript keeps keys that look like array indexes in numeric order before all others',
    applies: (_sample, theirs, ours) => equals(parseJson(theirs), parseJson(ours)),
  },
  {
    reason: 'jq leaves a stream early by raising an error, which `?//` takes for a failed match',
    applies: ({ program }) => program.includes('?//') && /\b(?:first|limit|label|any|all|isempty|IN|nth)\b/.test(program),
  },
]
