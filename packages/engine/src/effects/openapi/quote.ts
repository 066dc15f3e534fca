/** A text that a document or an argument chose, as a message can show it: on one line, and not endless. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}
