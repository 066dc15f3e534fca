import { describe, expect, test } from 'vitest'
import { compile } from '#src/index.ts'
import { translate } from './translate.ts'

function matches(pattern: string, text: string, flags = 'g'): unknown {
  return compile('[match($re; $flags) | .string]', { variables: ['re', 'flags'] }).first(text, { re: pattern, flags })
}

describe('patterns of Oniguruma', () => {
  test('groups are named in order, the same name any number of times', () => {
    expect(translate('(?<a>x)(y)(?<a>z)(?:w)', false, false).names).toEqual(['a', null, 'a'])
  })

  test.each([
    ['\\d+', 'a12é٣', ['12', '٣']],
    ['\\w+', 'é_1 b', ['é_1', 'b']],
    ['\\h+', 'ahhb', ['hh']],
    ['[\\q\\d]+', 'aq1b', ['q1']],
    ['\\N\\O', 'a\n', ['a\n']],
    ['\\e', 'a\u001bb', ['\u001b']],
    ['[[:alpha:]]+', 'aé1b', ['aé', 'b']],
    ['[^[:digit:]]+', 'a1b', ['a', 'b']],
    ['\\S+', 'a  b', ['a', 'b']],
    ['^.', 'ab\ncd', ['a']],
    ['a.c', 'a\nc abc', ['abc']],
    ['[]a]+', 'x]a', [']a']],
    ['a{2}', 'aaaa', ['aa', 'aa']],
    ['(?i)AB', 'xab', ['ab']],
    ['\\.', 'a.b', ['.']],
    ['x*', 'axb', ['', 'x', '', '']],
  ])('%s finds in %j what jq finds', (pattern, text, found) => {
    expect(matches(pattern, text)).toEqual(found)
  })

  test('x ignores white space and comments outside of classes', () => {
    expect(matches('a [ ] b # comment', 'a b', 'x')).toEqual(['a b'])
  })

  test('offsets and lengths count code points', () => {
    expect(compile('[match("b+"; "g") | [.offset, .length]]').first('😀bb😀b')).toEqual([
      [1, 2],
      [4, 1],
    ])
  })
})
