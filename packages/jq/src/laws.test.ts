import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compile, type Json } from './index.ts'

const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>(null, true, false, '', 'a', 'b', 'é😀', 0, 1, -1, 2.5),
    fc.integer({ min: -1_000_000, max: 1_000_000 }),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'length'), tie('value'), { maxKeys: 4 }),
  ),
})).value

const array = fc.array(value, { maxLength: 8 })
const text = fc.string({ unit: 'grapheme', maxLength: 30 })

/** An input of which a program does not say `true`; null when none was found. */
function counterexample(law: string, inputs: fc.Arbitrary<Json>): unknown {
  const program = compile(law)
  const property = fc.property(inputs, (input) => JSON.stringify(program.run(input)) === '[true]')
  return fc.check(property, { numRuns: 200, seed: 18 }).counterexample
}

describe('laws of every value', () => {
  test.each([
    ['what is printed reads back', '. as $x | (tojson | fromjson) == $x'],
    ['a value is made of its stream', '. as $x | fromstream(tostream) == $x'],
    ['every path leads to what it names', '. as $x | [path(..)] | map(. as $p | $x | getpath($p)) == [$x | ..]'],
    ['putting back what is there changes nothing', '. as $x | reduce path(..) as $p (.; setpath($p; getpath($p))) == $x'],
    ['updating by the identity changes nothing', '. as $x | (.. |= .) == $x'],
    ['walking by the identity changes nothing', '. as $x | walk(.) == $x'],
    ['deleting nothing changes nothing', '. as $x | del(empty) == $x'],
    ['a value equals itself and is not less', '. == . and (. < . | not) and . <= . and . >= .'],
    ['an array of one is sorted', '[.] == ([.] | sort)'],
    ['two values are in one order', '. as $x | [$x, [$x]] == ([[$x], $x] | sort) or [[$x], $x] == ([[$x], $x] | sort)'],
    [
      'the leaves are where the scalars are',
      '[paths(type != "array" and type != "object")] == [tostream | select(length == 2 and (.[1] | type != "array" and type != "object")) | .[0] | select(length > 0)]',
    ],
    ['text in text is the text', '(tostring | "\\(.)" == .)'],
    ['what pick keeps is there', '. as $x | pick(empty) == null'],
  ])('%s', (_name, law) => {
    expect(counterexample(law, value)).toBeNull()
  })
})

describe('laws of arrays', () => {
  test.each([
    ['sorting twice is sorting once', 'sort == (sort | sort)'],
    ['the least is the first', 'length == 0 or min == sort[0]'],
    ['the greatest is the last', 'length == 0 or max == sort[-1]'],
    ['groups make up the whole', 'sort == (group_by(.) | add // [])'],
    ['each group gives one of the distinct', 'unique == (group_by(.) | map(.[0]))'],
    ['reversing twice changes nothing', '. == (reverse | reverse)'],
    ['a slice and the rest make up the whole', '. as $x | .[:2] + .[2:] == $x'],
    ['nothing is left without itself', '(. - .) == []'],
    ['it contains each of its elements', '. as $x | all(.[]; [.] as $y | $x | index($y) != null)'],
    ['searching finds what is there', 'sort as $x | all(.[]; . as $y | $x[$x | bsearch($y)] == $y)'],
    ['entries give the keys', '[to_entries[] | .key] == keys'],
    ['adding is folding', 'map(tostring) | add == reduce .[] as $x (null; . + $x)'],
    ['adding arrays is folding', 'map([.]) | (add // []) == reduce .[] as $x ([]; . + $x)'],
    ['joining is folding', 'map(tostring) | join(",") == (reduce .[] as $x (null; if . == null then $x else . + "," + $x end) // "")'],
    ['an index has the last value of each key', 'INDEX(tojson) == reduce .[] as $x ({}; .[$x | tojson] = $x)'],
    ['any and all are each other turned around', 'any(.[]; . == 1) == (all(.[]; . != 1) | not)'],
    ['the first of a stream is its first', '[first(.[])] == .[:1]'],
    ['limit and skip make up the whole', '[limit(3; .[])] + [skip(3; .[])] == .'],
  ])('%s', (_name, law) => {
    expect(counterexample(law, array)).toBeNull()
  })
})

describe('laws of texts', () => {
  test.each([
    ['code points make up the text', '. == (explode | implode)'],
    ['base 64 reads back', '. == (@base64 | @base64d)'],
    ['base 32 reads back', '. == (@base32 | @base32d)'],
    ['an escaped address reads back', '. == (@uri | @urid)'],
    ['its parts make up the text', '. == (split("a") | join("a"))'],
    ['its characters make up the text', '. == (split("") | join(""))'],
    ['its length is that of its code points', 'length == (explode | length)'],
    ['a prefix that is put on comes off', '. == ("xy" + . | ltrimstr("xy"))'],
    ['a suffix that is put on comes off', '. == (. + "xy" | rtrimstr("xy"))'],
    ['it contains its slices', '. as $x | contains($x[1:3])'],
    ['replacing by itself changes nothing', '. == gsub("(?<x>a|b)"; .x)'],
    ['splitting by a pattern is splitting by a text', 'split("a") == split("a"; null) or . == ""'],
    ['trimming is trimming on both sides', 'trim == (ltrim | rtrim)'],
  ])('%s', (_name, law) => {
    expect(counterexample(law, text)).toBeNull()
  })
})
