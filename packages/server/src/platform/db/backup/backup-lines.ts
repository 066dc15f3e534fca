const lineFeed = 0x0a

/**
 * The lines of a backup as bytes, each with its line feed, which a last one may lack. Only a line feed ends a line: the rows contain every other character as
 * it is, also those that a reader of text takes for ends of lines, such as U+2028.
 */
export async function* backupLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let begun: Buffer[] = []
  for await (const chunk of source) {
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, end + 1)])
      begun = []
      from = end + 1
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
  }
  if (begun.length > 0) yield Buffer.concat(begun)
}
