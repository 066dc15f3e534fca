import type { ParseLimits } from './limits.ts'
import type { Problem } from './read-result.ts'

/** A string of a document, and where it is written. */
export interface WrittenText {
  readonly text: string
  readonly pointer: string
  readonly start: number
  readonly end: number
}

/** What is wrong with a string value whatever it is used for, or undefined. */
export function valueProblem(written: WrittenText, { stringLengthMax }: ParseLimits): Problem | undefined {
  const { length } = written.text
  if (length > stringLengthMax) {
    const message = `The string has ${length} characters, more than the ${stringLengthMax} that are allowed.`
    return problemAt(written, 'text_too_long', message, 'Take the text from elsewhere, or split it.')
  }
  return storageProblem(written, 'The string')
}

/** What is wrong with a key, or undefined. */
export function keyProblem(written: WrittenText, { keyLengthMax, pointerLengthMax }: ParseLimits): Problem | undefined {
  const { length } = written.text
  if (length > keyLengthMax) {
    const message = `The key has ${length} characters, more than the ${keyLengthMax} that are allowed.`
    // The key itself would make every report on what is below it as long.
    const above = { ...written, pointer: written.pointer.slice(0, written.pointer.lastIndexOf('/')) }
    return problemAt(above, 'text_too_long', message, 'Choose a shorter name.')
  }
  if (written.pointer.length > pointerLengthMax) {
    const message = `The keys that lead to the value have more than ${pointerLengthMax} characters together.`
    return problemAt({ ...written, pointer: '' }, 'text_too_long', message, 'Choose shorter names, or nest less deeply.')
  }
  return storageProblem(written, 'The key')
}

/** What of a text a database cannot hold: NUL and halves of surrogate pairs. Both can be written as escapes. */
function storageProblem(written: WrittenText, subject: string): Problem | undefined {
  const { text } = written
  if (text.includes('\0')) {
    return problemAt(written, 'invalid_text', `${subject} has the character NUL (U+0000), which cannot be kept.`, 'Remove it.')
  }
  if (text.isWellFormed()) return undefined
  const hint = 'Write the whole character, or both escapes of it (for example \\ud83d\\ude00).'
  return problemAt(written, 'invalid_text', `${subject} has half of a surrogate pair, which is no character.`, hint)
}

/** The same of the text of a document, comments included: it is kept as it was given. */
export function sourceProblem(source: string): Problem | undefined {
  const nul = source.indexOf('\0')
  const start = nul === -1 && !source.isWellFormed() ? loneSurrogate(source) : nul
  return start === -1 ? undefined : storageProblem({ text: source.charAt(start), pointer: '', start, end: start + 1 }, 'The text')
}

function loneSurrogate(source: string): number {
  return source.search(/\p{Surrogate}/u)
}

function problemAt({ pointer, start, end }: WrittenText, code: Problem['code'], message: string, hint: string): Problem {
  return { code, pointer, start, end, message, hint }
}
