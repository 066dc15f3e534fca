/** Characters of the key of a row, and of a prefix. */
export const rowKeyMax = 256

/** Bytes of the columns of one row, as JSON. */
export const rowBytesMax = 64 * 1024

/** Characters of the column by which rows are sorted, with its direction. */
export const rowSortMax = 200

/** A table begins with a letter, so that its name is one word of a path and of a file. */
export const tableNamePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
/** What a name must do, in words. */
export const tableNameWords = 'begin with a letter, followed by letters, digits, - and _, at most 64 characters'

/** Control characters, those that change the direction of text or break lines, and halves of surrogate pairs. */
// oxlint-disable-next-line no-control-regex -- These are the characters that keys must not have.
const forbidden = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/u

/** Why a text is not the key of a row; undefined when it is one. A key is compared in the Unicode form NFC. */
export function rowKeyProblem(key: string): string | undefined {
  if (key === '') return 'Must not be empty.'
  if (key.length > rowKeyMax) return `Must have at most ${rowKeyMax} characters.`
  if (forbidden.test(key)) return 'Must not contain control characters or characters that change the direction of text.'
  // They mean folders in the address of a row.
  if (key === '.' || key === '..') return 'Must not be . or ..'
  return undefined
}
