import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { git } from './git.ts'

const pieces = ['a', 'Z9', '_', '-', '.', '/', '.lock', 'HEAD', '..', '@{']

/** Up to four pieces, one after another. */
function names(): readonly string[] {
  const found = new Set(pieces)
  for (const one of pieces)
    for (const two of pieces) {
      found.add(one + two)
      for (const three of ['a', '.', '/', '.lock']) found.add(one + two + three).add(`a/${one}${two}${three}`)
    }
  return [...found]
}

test('a name of a branch is taken where Git takes it, as far as its characters are', () => {
  const all = names()
  const script = 'for name; do if git check-ref-format --branch "$name" >/dev/null 2>&1; then echo yes; else echo no; fi; done'
  const { stdout } = spawnSync('sh', ['-c', script, 'sh', ...all], { encoding: 'utf8' })
  const taken = stdout.trim().split('\n')
  expect(taken).toHaveLength(all.length)
  const wrong = all.filter(
    (branch, index) => git.create.body?.safeParse({ url: 'https://git.example.com/x.git', branch }).success !== (taken[index] === 'yes'),
  )
  expect(wrong).toEqual([])
})
