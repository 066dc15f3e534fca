import { expect, test } from 'vitest'
import { joinTexts } from '#src/document/join-texts.ts'

const base = 'one\ntwo\nthree\nfour\nfive\n'

test.each<[string, string, string, string | undefined]>([
  ['changes of different lines', 'ONE\ntwo\nthree\nfour\nfive\n', 'one\ntwo\nthree\nfour\nFIVE\n', 'ONE\ntwo\nthree\nfour\nFIVE\n'],
  ['lines that are added and removed', 'zero\none\ntwo\nthree\nfour\nfive\n', 'one\ntwo\nthree\nfive\n', 'zero\none\ntwo\nthree\nfive\n'],
  ['a line added at the end', 'ONE\ntwo\nthree\nfour\nfive\n', `${base}six`, 'ONE\ntwo\nthree\nfour\nfive\nsix'],
  ['the same change of both', 'one\nTWO\nthree\nfour\nfive\n', 'one\nTWO\nthree\nfour\nFIVE\n', 'one\nTWO\nthree\nfour\nFIVE\n'],
  ['several changes of one side alone', base, 'ONE\nTWO\nthree\nfour\nFIVE\n', 'ONE\nTWO\nthree\nfour\nFIVE\n'],
  ['changes of one line', 'one\nTWO\nthree\nfour\nfive\n', 'one\n2\nthree\nfour\nfive\n', undefined],
  ['changes side by side', 'one\nTWO\nthree\nfour\nfive\n', 'one\ntwo\nTHREE\nfour\nfive\n', undefined],
  ['lines added at one place', 'one\nA\ntwo\nthree\nfour\nfive\n', 'one\nB\ntwo\nthree\nfour\nfive\n', undefined],
])('%s', (_what, theirs, mine, joined) => {
  expect(joinTexts(base, theirs, mine)).toBe(joined)
})
