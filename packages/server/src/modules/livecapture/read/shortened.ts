/** The beginning of a text, without half of a character at its end, which the database refuses. */
export function shortened(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).toWellFormed()
}
