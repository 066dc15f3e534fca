import { randomUUID } from 'node:crypto'
import { rename, rm, stat, writeFile } from 'node:fs/promises'

/** Replaces a file at once, so that it is never half written. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, text, { flag: 'wx', mode: (await stat(file)).mode })
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
}
