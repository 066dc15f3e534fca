import { describe, expect, test } from 'vitest'
import { compile, JqError, JqLimitError, type Json } from './index.ts'

const size = 20_000
const text = (unit: string): Json => unit.repeat(size / unit.length)
const numbers: Json = Array.from({ length: size }, (_none, at) => (at * 7919) % 1_009)
const texts: Json = Array.from({ length: size }, (_none, at) => `text ${(at * 7919) % 1_009}`)
const fields: Json = Object.fromEntries(Array.from({ length: size }, (_none, at) => [`key ${at}`, at]))

interface Run {
  readonly steps: number
  /** Looks at the clock. */
  readonly looks: number
}

function run(program: string, input: Json): Run {
  let looks = 0
  const compiled = compile(program, { elapsed: () => ++looks / 1e6, limits: { steps: 3_000_000 } })
  try {
    compiled.run(input)
  } catch (error) {
    if (!(error instanceof JqError) && !(error instanceof JqLimitError)) throw error
  }
  return { steps: compiled.steps(), looks }
}

/** A step is worth about half a microsecond; so many of them are the least that something must cost on these inputs. */
describe('what takes long costs steps', () => {
  test.each<[string, string, Json, number]>([
    ['sorting, by the comparisons that it makes', 'sort', numbers, 60_000],
    ['sorting by a key', 'sort_by(-.)', numbers, 100_000],
    ['groups', 'group_by(.)', texts, 60_000],
    ['keys in order', 'keys', fields, 15_000],
    ['listing keys', 'length', fields, 9_000],
    ['an error that is caught', '[range(1000) | try error("x") catch .] | length', null, 8_000],
    ['a search for all matches that looks to the end each time', '[match("a.*b|a"; "g")] | length', 'a'.repeat(2_000), 600_000],
    ['a pattern with counted repetitions', 'test("(a{10}){100}")', '', 5_000],
    ['a pattern with classes out of the tables of Unicode', 'test("\\\\w\\\\w\\\\w\\\\w")', '', 3_000],
    ['a class whose range is folded', 'test("[a-\u{1e943}]"; "i")', '', 15_000],
    ['a Bessel function of high order', 'jn(10000; 10000)', null, 2_500],
    ['places of a text that are near each other', 'indices("a") | length', text('ab'), 5_000],
    [
      'text that overlaps itself',
      'indices("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa") | length',
      text('a'),
      1_000,
    ],
    ['slices of a text beyond ASCII', '. as $x | [range(0; 10000; 100) as $i | $x[10000 - $i:]] | length', text('é😀'), 20_000],
    ['what is printed of a shared value', 'reduce range(12) as $x ([1]; [., .]) | tojson | length', null, 4_000],
    ['comparing arrays', '. == map(.)', numbers, 20_000],
    ['writing dates', '[range(1000) | strftime("%A %c")] | length', null, 5_000],
    ['paths', '[paths] | length', numbers, 40_000],
  ])('%s', (_name, program, input, least) => {
    expect(run(program, input).steps).toBeGreaterThan(least)
  })

  test('the size of a program, whose nodes run once for each element', () => {
    const long = `[.[] | ${Array.from({ length: 400 }, () => '. + 0').join(' | ')}] | length`
    expect(run(long, numbers).steps).toBeGreaterThan(20 * run('[.[] | . + 0] | length', numbers).steps)
    const branches = `[.[] | ${'if . == -1 then 1 else '.repeat(200)}.${' end'.repeat(200)}] | length`
    expect(run(branches, numbers).steps).toBeGreaterThan(20 * size)
  })

  test('a pattern that reaches far, only as far as it goes', () => {
    expect(run('test("(?:a?){300}a{300}")', 'a'.repeat(1_000_000)).steps).toBeLessThan(100_000)
  })
})

/** A run can be interrupted only if a built-in checks the clock during its work. */
describe('the clock is checked within one built-in', () => {
  const large = 400_000
  test.each<[string, Json]>([
    ['sort', Array.from({ length: large }, (_none, at) => (at * 7919) % 100_003)],
    ['tojson', Array.from({ length: large }, (_none, at) => at)],
    ['fromjson', JSON.stringify(Array.from({ length: large }, (_none, at) => at))],
    ['explode', 'ab'.repeat(large)],
    ['implode', Array.from({ length: large }, () => 97)],
    ['ascii_downcase', 'aB'.repeat(large)],
    ['@uri', 'é'.repeat(large)],
    ['@urid', '%41'.repeat(large)],
    ['@html', '<'.repeat(large)],
    ['@base64', 'ab'.repeat(large)],
    ['@base64d', 'ab'.repeat(large)],
    ['@base32', 'ab'.repeat(large)],
    ['[.] | @csv', '"'.repeat(large * 2)],
    ['split("")', 'ab'.repeat(large)],
    ['split("a")', 'ab'.repeat(large)],
    ['trim', ' '.repeat(large)],
    ['utf8bytelength', 'ab'.repeat(large)],
    ['length', 'é😀'.repeat(large)],
    ['indices("a")', 'ab'.repeat(large)],
    ['test("[^ab]")', 'ab'.repeat(large)],
    ['. == map(.)', Array.from({ length: large }, (_none, at) => at)],
    ['contains([-1])', Array.from({ length: large }, (_none, at) => at)],
    ['to_entries', Array.from({ length: large }, (_none, at) => at)],
    ['join(",")', Array.from({ length: large }, (_none, at) => at)],
    ['flatten', Array.from({ length: large }, (_none, at) => [at])],
    ['.[] |= . + 1', Array.from({ length: large }, (_none, at) => at)],
    ['unique', Array.from({ length: large }, (_none, at) => at % 7)],
    ['del(.[range(0; 1000)])', Array.from({ length: large }, (_none, at) => at)],
    ['transpose', Array.from({ length: large / 2 }, (_none, at) => [at, at])],
    ['any(. < 0)', Array.from({ length: large }, (_none, at) => at)],
  ])('%s', (program, input) => {
    expect(run(program, input).looks).toBeGreaterThan(8)
  })
})

test('an output keeps sharing its parts, also when numbers in it are replaced for JSON', () => {
  const output = compile('reduce range(60) as $x ([nan, infinite]; [., .])').first(null)
  const seen = new Set<unknown>()
  const pending = [output]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (!Array.isArray(at) || seen.has(at)) continue
    seen.add(at)
    pending.push(...at)
  }
  expect(seen.size).toBe(61)
})
