import { expect, test } from 'vitest'
import { localPath } from './fragment.ts'

test.each([
  ['/runs/exec_1?tab=a#b', '/runs/exec_1?tab=a#b'],
  ['/', '/'],
  [undefined, '/'],
  ['', '/'],
  ['runs', '/'],
  ['https://evil.example/', '/'],
  ['//evil.example/', '/'],
  [String.raw`/\evil.example/`, '/'],
  [String.raw`\/evil.example/`, '/'],
  ['/\t/evil.example/', '/'],
  ['/\n\\evil.example/', '/'],
])('a sign-in that is to continue at %j continues at %j', (to, path) => {
  expect(localPath(to)).toBe(path)
})
