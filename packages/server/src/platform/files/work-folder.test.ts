import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeWorkFolder } from './work-folder.ts'

test('folders of processes that were killed are deleted when the next one is made, and no others', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'work-folders-'))
  const made = async (name: string, hours: number) => {
    await mkdir(join(parent, name, 'objects'), { recursive: true })
    const at = new Date(Date.now() - hours * 3_600_000)
    await utimes(join(parent, name), at, at)
  }
  await made('millrace-work-killed', 2)
  await made('millrace-work-inuse1', 0.5)
  await made('millrace-other-x', 2)
  await writeFile(join(parent, 'millrace-work-file'), '')
  await utimes(join(parent, 'millrace-work-file'), new Date(0), new Date(0))
  const folder = await makeWorkFolder(parent)
  const left = await readdir(parent)
  expect(left.filter((name) => join(parent, name) !== folder).toSorted()).toEqual([
    'millrace-other-x',
    'millrace-work-file',
    'millrace-work-inuse1',
  ])
  expect(left).toHaveLength(4)
  await rm(parent, { recursive: true })
})
