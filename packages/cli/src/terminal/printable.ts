/** C0 and C1 control characters and the marks that turn the direction of writing; a line feed and a tab are not among them. */
// oxlint-disable-next-line no-control-regex -- Control characters are what it looks for.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text from outside (a definition, a reply) that cannot steer the terminal: control characters become visible escapes. */
export function printable(text: string): string {
  return text.replace(controls, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
}

/** The same on one line. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\n\t]+/g, ' ')
}

/** Cuts a text to so many characters, the last of which then says that something is missing. */
export function truncate(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  return lengthMax <= 1 ? '…' : `${text.slice(0, lengthMax - 1)}…`
}
