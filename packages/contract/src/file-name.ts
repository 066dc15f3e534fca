/** Characters of the name of a file, and of a prefix. */
export const fileNameMax = 512

/** Control characters, those that change the direction of text or break lines, halves of surrogate pairs, and the separator of another system. */
// oxlint-disable-next-line no-control-regex -- These are the characters that names must not have.
const forbidden = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\\]|\p{Surrogate}/u
const outside = /^\/|\/$|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/

/** Why a text is not the name of a file; undefined when it is one. A name is compared in the Unicode form NFC. */
export function fileNameProblem(name: string): string | undefined {
  if (name === '') return 'Must not be empty.'
  if (name.length > fileNameMax) return `Must have at most ${fileNameMax} characters.`
  if (forbidden.test(name)) return 'Must not contain control characters, characters that change the direction of text, or a backslash.'
  if (outside.test(name)) return 'Must be a path such as reports/2026-11.csv: no / at an end, no empty part, and no part . or ..'
  return undefined
}
