/**
 * Whether content contains one of some texts in lower case, in any case; `unreadable` for content that does not and is no text in UTF-8. Only a part of it is in
 * memory.
 */
export async function searchText(content: AsyncIterable<Uint8Array>, texts: readonly string[]): Promise<'found' | 'absent' | 'unreadable'> {
  const overlap = Math.max(0, ...texts.map(({ length }) => length)) - 1
  const decoder = new TextDecoder()
  let rest = ''
  let isText = true
  const isIn = (text: string) => {
    // What no text in UTF-8 has: a byte of another encoding, and the null bytes of UTF-16 and of binary formats.
    isText &&= !/[\uFFFD\0]/.test(text)
    return texts.some((wanted) => text.includes(wanted))
  }
  for await (const part of content) {
    const text = rest + decoder.decode(part, { stream: true }).toLowerCase()
    if (isIn(text)) return 'found'
    rest = overlap > 0 ? text.slice(-overlap) : ''
  }
  if (isIn(rest + decoder.decode().toLowerCase())) return 'found'
  return isText ? 'absent' : 'unreadable'
}
