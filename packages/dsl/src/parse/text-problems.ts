import type { ParseLimits } from './limits.ts'
import type { Problem } from './read-result.ts'

/** A string of a document, and its position. */
export interface WrittenText {
  readonly text: string
  readonly pointer: string
  readonly start: number
  readonly end: number
}

/** The problem of a string value, whatever its use; undefined when it is valid. */
export function valueProblem(written: WrittenText, { stringLengthMax }: ParseLimits): Problem | undefined {
  const { length } = written.text
  if (length > stringLengthMax) {
    const message = `The string has ${length} characters, more than the ${stringLengthMax} that are allowed.`
    return problemAt(written, 'text_too_long', message, 'Take the text from elsewhere, or split it.')
  }
  return storageProblem(written, 'The string')
}

/** The problem of a key; undefined when it is valid. */
export function keyProblem(written: WrittenText, { keyLengthMax, pointerLengthMax }: ParseLimits): Problem | undefined {
  const { length } = written.text
  if (length > keyLengthMax) {
    const message = `The key has ${length} characters, more than the ${keyLengthMax} that are allowed.`
    // Pointers of values below it would contain the long key.
    const above = { ...written, pointer: written.pointer.slice(0, written.pointer.lastIndexOf('/')) }
    return problemAt(above, 'text_too_long', message, 'Choose a shorter name.')
  }
  if (written.pointer.length > pointerLengthMax) {
    const message = `The keys that lead to the value have more than ${pointerLengthMax} characters together.`
    return problemAt({ ...written, pointer: '' }, 'text_too_long', message, 'Choose shorter names, or nest less deeply.')
  }
  return storageProblem(written, 'The key')
}

/** Finds characters that PostgreSQL cannot store: NUL and halves of surrogate pairs. Both can be written as escapes. */
function storageProblem(written: WrittenText, subject: string): Problem | undefined {
  const { text } = written
  if (text.includes('\0')) {
    return problemAt(written, 'invalid_text', `${subject} has the character NUL (U+0000), which cannot be kept.`, 'Remove it.')
  }
  if (text.isWellFormed()) return undefined
  const hint = 'Write the whole character, or both escapes of it (for example \\ud83d\\ude00).'
  return problemAt(written, 'invalid_text', `${subject} has half of a surrogate pair, which is no character.`, hint)
}

/** The same for the text of a document with its comments, which is stored unchanged. */
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
