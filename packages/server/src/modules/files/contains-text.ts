/**
 * Whether content that is text in UTF-8 contains one of some texts in lower case, in any case. Only a part of it is in memory.
 */
export async function containsText(content: AsyncIterable<Uint8Array>, texts: readonly string[]): Promise<boolean> {
  const overlap = Math.max(0, ...texts.map(({ length }) => length)) - 1
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of content) {
    const text = rest + decoder.decode(part, { stream: true }).toLowerCase()
    if (texts.some((wanted) => text.includes(wanted))) return true
    rest = overlap > 0 ? text.slice(-overlap) : ''
  }
  const end = rest + decoder.decode().toLowerCase()
  return texts.some((wanted) => end.includes(wanted))
}
