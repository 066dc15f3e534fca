import type { Json } from '#src/values/value.ts'

/** Elements or characters of most inputs. */
const size = 1_000_000
const letters = (): Json => 'ab'.repeat(size / 2)
const accents = (): Json => 'é😀'.repeat(size / 3)
const spaces = (): Json => ' '.repeat(size)
const quotes = (): Json => '"&\n'.repeat(size / 3)
const slashes = (): Json => '\\n'.repeat(size / 2)
const digits = (): Json => '1234567890'.repeat(size / 10)
const json = (): Json => JSON.stringify(Array.from({ length: size / 8 }, (_none, at) => [at % 7, 'x']))
const jsonNumbers = (): Json => JSON.stringify(Array.from({ length: size / 20 }, (_none, at) => 1 / (at + 3)))
const jsonBig = (): Json => `[${Array.from({ length: size / 40 }, () => '123456789012345678901234567890').join()}]`
const jsonEscapes = (): Json => `"${'\\ud83d\\ude00'.repeat(size / 12)}"`
const jsonKeys = (): Json => JSON.stringify(Object.fromEntries(Array.from({ length: size / 20 }, (_none, at) => [`key${at}`, at])))
const numbers = (): Json => Array.from({ length: size }, (_none, at) => (at * 7919) % 1_000_003)
const fractions = (): Json => Array.from({ length: size / 4 }, (_none, at) => 1 / (((at * 7919) % 1_000_003) + 3))
const texts = (): Json => Array.from({ length: size / 4 }, (_none, at) => `text ${(at * 7919) % 100_003}`)
const alike = (): Json => Array.from({ length: 2_000 }, (_none, at) => `${'a'.repeat(2_000)}${(at * 7919) % 1_009}`)
const empties = (): Json => Array.from({ length: size }, () => '')
const pairs = (): Json => Array.from({ length: size / 4 }, (_none, at) => [(at * 7919) % 100_003, `x${at}`])
const objects = (): Json =>
  Array.from({ length: size / 10 }, (_none, at) => ({ id: (at * 7919) % 100_003, name: `n${at}`, flag: at % 2 === 0 }))
const wide = (): Json => Object.fromEntries(Array.from({ length: size / 5 }, (_none, at) => [`key ${(at * 7919) % 1_000_003}`, at]))
const indexed = (): Json => Object.fromEntries(Array.from({ length: size / 5 }, (_none, at) => [String(at), at]))
const entries = (): Json => Array.from({ length: size / 5 }, (_none, at) => ({ key: `key ${(at * 7919) % 1_000_003}`, value: at }))
const deep = (): Json => Array.from({ length: 1_000 }).reduce<Json>((inner) => [inner], 0)
const deepObject = (): Json => Array.from({ length: 1_000 }).reduce<Json>((inner) => ({ a: inner, b: 1 }), 0)
const paths = (): Json => Array.from({ length: size / 10 }, (_none, at) => [(at * 7919) % 100_003, 'a'])
const moments = (): Json => Array.from({ length: size / 10 }, (_none, at) => at * 86_400.5)
const one = (): Json => null

/** Inputs that are hard on built-ins, by the names that `step-cases.json` calls them. */
export const stepInputs: Readonly<Record<string, () => Json>> = {
  letters,
  accents,
  spaces,
  quotes,
  slashes,
  digits,
  json,
  jsonNumbers,
  jsonBig,
  jsonEscapes,
  jsonKeys,
  numbers,
  fractions,
  texts,
  alike,
  empties,
  pairs,
  objects,
  wide,
  indexed,
  entries,
  deep,
  deepObject,
  paths,
  moments,
  one,
}
