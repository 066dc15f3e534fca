import { describe, expect, test } from 'vitest'
import { applyEdits, type Edit } from './patch.ts'

const text = '# kept\ndo:\n  - a: { set: { n: 1 } } # first\n  - b: { set: { n: 2 } }   \n  - c: { set: { n: 2 } }'
const edit = (search: string, replace: string): Edit => ({ search, replace })

describe('applyEdits', () => {
  test('replaces the pieces and keeps every other byte, in whatever order they are given', () => {
    const edits = [edit('- c: { set: { n: 2 } }', '- c: { set: { n: $& } }'), edit('n: 1', 'n: 7')]
    const expected = '# kept\ndo:\n  - a: { set: { n: 7 } } # first\n  - b: { set: { n: 2 } }   \n  - c: { set: { n: $& } }'
    expect(applyEdits(text, edits)).toEqual({ ok: true, text: expected })
    expect(applyEdits(text, edits.toReversed())).toEqual({ ok: true, text: expected })
  })

  test('adjacent pieces do not overlap', () => {
    expect(applyEdits('abcd', [edit('bc', ''), edit('a', 'x')])).toEqual({ ok: true, text: 'xd' })
  })

  test('a text with carriage returns is changed by pieces without, and keeps them', () => {
    expect(applyEdits('a: 1\r\nb: 2\r\nc: 3\r\n', [edit('a: 1\nb: 2\n', 'a: 1\nb: 4\nd: 5\n')])).toEqual({
      ok: true,
      text: 'a: 1\r\nb: 4\r\nd: 5\r\nc: 3\r\n',
    })
  })

  test.each([
    ['occurs twice', [edit('n: 2', 'n: 3')], 'more than once, at lines 4, 5.'],
    ['does not occur', [edit('n: 9', 'n: 3')], 'does not contain "n: 9". Copy it'],
    ['differs in its spaces', [edit('do:\n- a: { set: {  n: 1 } } # first', '')], 'Line 2 differs only in its spaces'],
    ['is empty', [edit(' \n', 'n: 3')], 'Edit 1: "search" is empty'],
    ['overlaps another', [edit('set: { n: 1', ''), edit('x', 'y'), edit('n: 1 }', '')], 'Edit 2: the definition does not contain "x"'],
    ['is in another', [edit('n: 1', ''), edit('set: { n: 1 }', '')], 'Edits 2 and 1 overlap'],
  ])('a piece that %s is refused, and says how to correct it', (_case, edits, finding) => {
    expect(applyEdits(text, edits)).toEqual({ ok: false, findings: expect.stringContaining(finding) })
  })
})
