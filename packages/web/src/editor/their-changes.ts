import { localComputer } from '#src/document/document-computer.ts'
import type { Syntax } from '#src/document/apply-edits.ts'
import { noteBetween } from '#src/editor/publish-note.ts'

/** What changed between two texts, by the names of the steps; undefined where one of them cannot be read. */
export async function changesBetween(before: string, after: string, syntax: Syntax): Promise<string | undefined> {
  const { read } = localComputer(syntax)
  const [{ json: from }, { json: to }] = [await read(before), await read(after)]
  return noteBetween(from, to)
}
