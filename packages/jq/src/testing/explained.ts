import { equals } from '#src/values/compare.ts'
import { parseJson } from '#src/values/json-parse.ts'
import { isArray, isObject } from '#src/values/value.ts'
import type { Sample } from './generate-program.ts'
import { withSingleInitials } from './single-initial.ts'

/** A kind of difference that is known, and why it is left. */
export interface Explanation {
  readonly reason: string
  /** The largest share of all programs that it may explain. */
  readonly shareMax: number
  readonly applies: (sample: Sample, theirs: string, ours: string) => boolean
}

const usesPaths = /\b(?:path|paths|del|pick)\(|(?<![=!<>])=(?!=)/
/** Functions into which jq follows paths, and those defined by them; this package evaluates them as values. */
const followsPaths =
  /\b(?:reduce|foreach|gsub|INDEX|ascii_upcase|ascii_downcase|with_entries|from_entries|todate|combinations|walk|fromjson)\b| as [[{]/
const updatesInPath = /\b(?:path|paths|del|pick)\(.*(?:[-+*/%]|\/\/)=/
/** A variable, at most in brackets or tried, whose value an update or a path is asked for. */
const variableAsPath =
  /\(try \$[xyz] catch .*\) *(?:[-+*/%|]|\/\/)?=(?!=)|\$[xyz]\)* *(?:[-+*/%|]|\/\/)?=(?!=)|\b(?:path|paths|del|pick)\(\$[xyz]\)/

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
    applies: ({ program }) => followsPaths.test(program) && usesPaths.test(program),
  },
  {
    reason:
      'jq distinguishes two equal strings, and two equal numbers, by their address in memory when a variable stands for a path; here equal values are the same',
    shareMax: 0.0005,
    applies: ({ program }, _theirs, ours) => variableAsPath.test(program) && !ours.includes('Invalid path'),
  },
  {
    reason: 'in a path expression jq follows paths into the right side of an update too, and refuses there what is a plain value here',
    shareMax: 0.0005,
    applies: ({ program }, theirs) => /Invalid path expression/.test(theirs) && updatesInPath.test(program),
  },
  {
    reason: 'the same, where the program catches the error, which is raised a step later or earlier, so that one of the two continues',
    shareMax: 0.0005,
    applies: ({ program }, theirs, ours) =>
      /\?|\btry\b/.test(program) &&
      (followsPaths.test(program) || updatesInPath.test(program)) &&
      usesPaths.test(program) &&
      theirs.includes('Invalid path') !== ours.includes('Invalid path'),
  },
  {
    reason: 'beyond the years that C can represent jq gives a broken down time of zeros; here that is an error',
    shareMax: 0.0005,
    applies: ({ program }, theirs, ours) =>
      /\b(?:gmtime|todate)\b/.test(program) && (ours.includes('cannot represent this number as a date') || theirs.includes('[1900,0,0,0,')),
  },
  {
    reason: 'native jq puts the parts of a broken down time in order that are out of their range, as is done here; jq-wasm leaves them',
    shareMax: 0.0005,
    applies: ({ program }, theirs, ours) => /\btodate\b/.test(program) && theirs !== ours && withoutDates(theirs) === withoutDates(ours),
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
    reason: 'the same inside a text or a message, which has the same characters in another order, one such key among them',
    shareMax: 0.0005,
    applies: (_sample, theirs, ours) => /"\d+\\*":/.test(theirs) && sortedCharacters(theirs) === sortedCharacters(ours),
  },
  {
    reason: 'jq leaves a stream or an update early by raising an error, which `?//` takes for a failed match',
    shareMax: 0.005,
    applies: ({ program }) =>
      program.includes('?//') && /\b(?:first|limit|label|any|all|isempty|IN|nth|walk|map_values)\b|\|=/.test(program),
  },
]

function withoutDates(text: string): string {
  return text.replaceAll(/-?\d+-\d+-\d+T\d+:\d+:\d+Z/g, 'date')
}

function sortedCharacters(text: string): string {
  return Array.from(text).toSorted().join('')
}

/** `frexp` with 0 for an exponent that means nothing. */
const settledExponent = '(frexp | if .[0] | isnan or isinfinite then [.[0], 0] else . end)'

/** A bug of jq that another way of writing a program keeps out of. */
export interface Detour {
  readonly reason: string
  /** The largest share of all programs that it may explain. */
  readonly shareMax: number
  /** The program written so that the bug cannot show; `undefined` when it cannot show anyway. jq has to give our answer for it. */
  readonly rewrite: (program: string) => string | undefined
}

export const detours: readonly Detour[] = [
  {
    reason: 'jq gives the source of a reduce null as its input from the second initial value on, a bug that is mended after 1.8.2',
    shareMax: 0.002,
    rewrite: withSingleInitials,
  },
  {
    reason: 'C says nothing about the exponent of an infinity or NaN, and jq prints whatever was in its place; here it is 0',
    shareMax: 0.0005,
    rewrite: (program) => (/\bfrexp\b/.test(program) ? program.replaceAll(/\bfrexp\b/g, settledExponent) : undefined),
  },
]

/** Whether two observations have the same outputs and then an error each. */
function failAlike(theirs: string, ours: string): boolean {
  const a = parseJson(theirs)
  const b = parseJson(ours)
  if (!isArray(a) || !isArray(b) || a.length !== b.length) return false
  return equals(a.slice(0, -1), b.slice(0, -1)) && [a.at(-1), b.at(-1)].every((last) => last !== undefined && isObject(last) && 'e' in last)
}
