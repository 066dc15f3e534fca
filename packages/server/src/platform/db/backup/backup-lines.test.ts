import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { backupLines } from './backup-lines.ts'

async function linesOf(...chunks: readonly string[]): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of backupLines(Readable.from(chunks.map((chunk) => Buffer.from(chunk))))) lines.push(line.toString())
  return lines
}

test('only a line feed ends a line of a backup, whatever its chunks', async () => {
  expect(await linesOf('one\ntw', 'o', '\n', '\nth', 'ree')).toEqual(['one\n', 'two\n', '\n', 'three'])
  const row = '1\ta\u2028b\u2029c\rd\u0085e\u000bf\u000cg\n'
  expect(await linesOf(row, row)).toEqual([row, row])
  expect(await linesOf()).toEqual([])
})
