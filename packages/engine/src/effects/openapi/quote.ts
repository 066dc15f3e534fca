/** A text that a document or an argument chose, as a message can show it: on one line, and not endless. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}

/** Several of them, as far as a reader wants to know them. */
export function quoteAll(texts: readonly string[]): string {
  const shown = texts.slice(0, shownMax).map(quote).join(', ')
  return texts.length > shownMax ? `${shown} and ${texts.length - shownMax} more` : shown
}

const shownMax = 30
