/** The text with what was spoken at its end, also if it was changed while the speech was read. */
export function withSpoken(text: string, spoken: string): string {
  return [text.trimEnd(), spoken].filter((part) => part !== '').join(' ')
}

/** The text with a message that could not be sent before it, so that it can be sent again. */
export function withUnsent(text: string, message: string): string {
  return text.trim() === '' ? message : `${message}\n${text}`
}
