/** The text without what PostgreSQL does not store: NUL, and halves of characters. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}
