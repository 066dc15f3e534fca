import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeCheckoutFolder } from './checkout-folder.ts'

test('folders of checkouts whose process was killed are deleted with the next checkout, and no others', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'checkout-folders-'))
  const made = async (name: string, hours: number) => {
    await mkdir(join(parent, name, 'objects'), { recursive: true })
    const at = new Date(Date.now() - hours * 3_600_000)
    await utimes(join(parent, name), at, at)
  }
  await made('millrace-git-killed', 2)
  await made('millrace-git-inuse1', 0.5)
  await made('millrace-other-x', 2)
  await writeFile(join(parent, 'millrace-git-file'), '')
  await utimes(join(parent, 'millrace-git-file'), new Date(0), new Date(0))
  const folder = await makeCheckoutFolder(parent)
  const left = await readdir(parent)
  expect(left.filter((name) => join(parent, name) !== folder).toSorted()).toEqual([
    'millrace-git-file',
    'millrace-git-inuse1',
    'millrace-other-x',
  ])
  expect(left).toHaveLength(4)
  await rm(parent, { recursive: true })
})
