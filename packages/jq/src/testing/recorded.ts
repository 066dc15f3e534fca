import { compile } from '#src/index.ts'
import { stringify } from '#src/values/json-text.ts'
import { observed } from './oracle.ts'

/** One recorded case: a program, its input, and what jq 1.8.2 made of it. */
export interface Recorded {
  readonly program: string
  readonly input: string
  readonly outcome: string
}

/** Reads lines of `program @@ input => outcome`. */
export function readRecorded(text: string): Recorded[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const at = line.indexOf(' @@ ')
      const arrow = line.indexOf(' => ', at)
      return { program: line.slice(0, at), input: line.slice(at + 4, arrow), outcome: line.slice(arrow + 4) }
    })
}

/** A recorded case with what this package makes of it. */
export interface Deviation extends Recorded {
  readonly actual: string
}

/** Runs recorded cases and gives those that come out differently. */
export function deviations(text: string): Deviation[] {
  return readRecorded(text)
    .map((recorded) => ({ ...recorded, actual: stringify(compile(observed(recorded.program)).first(JSON.parse(recorded.input)) ?? null) }))
    .filter(({ outcome, actual }) => outcome !== actual)
}
