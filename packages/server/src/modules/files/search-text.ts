/** A text that is looked for. */
export interface SoughtText {
  readonly regexp: RegExp
  /** The most characters of what matches. */
  readonly length: number
}

/** Whether content contains one of some texts; `unreadable` for content that does not and is no text in UTF-8. Only a part of it is in memory. */
export async function searchText(
  content: AsyncIterable<Uint8Array>,
  sought: readonly SoughtText[],
): Promise<'found' | 'absent' | 'unreadable'> {
  const overlap = Math.max(0, ...sought.map(({ length }) => length)) - 1
  const decoder = new TextDecoder()
  let rest = ''
  let isText = true
  const isIn = (text: string) => {
    // What no text in UTF-8 has: a byte of another encoding, and the null bytes of UTF-16 and of binary formats.
    isText &&= !/[\uFFFD\0]/.test(text)
    return sought.some(({ regexp }) => text.search(regexp) >= 0)
  }
  for await (const part of content) {
    const text = rest + decoder.decode(part, { stream: true })
    if (isIn(text)) return 'found'
    rest = overlap > 0 ? text.slice(-overlap) : ''
  }
  if (isIn(rest + decoder.decode())) return 'found'
  return isText ? 'absent' : 'unreadable'
}
