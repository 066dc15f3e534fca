import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { longFiles } from './longest-first.ts'

test('the files that are begun first exist', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  expect(longFiles.filter((file) => !existsSync(`${root}${file}`))).toEqual([])
})
