import { expect, test } from 'vitest'
import { preludeFor } from './prelude.ts'

/** The scripts' own last lines. */
const end = '$print($list(await (async () => { CODE })()))'

test.each([
  ['return items.map((item) => ({ json: { n: item.json.n + 1 } }))', 12],
  ["return $input.all().filter((one) => one.json.total > $('Orders').first().json.min)", 30],
  ["return [{ json: { at: $now.plus({ days: 1 }).toFormat('yyyy-MM-dd') } }]", 120],
  ['return [{ json: { text: Buffer.from("x").toString("base64") } }]', 30],
])('%s brings at most %i lines with it', (code, max) => {
  const text = preludeFor(end.replace('CODE', code))
  expect(text.split('\n').length).toBeLessThanOrEqual(max)
  expect(text).toContain('const $print')
})

test('a method that n8n adds brings its definition with it', () => {
  expect(preludeFor('items.first().unique("id")')).toContain('unique(key)')
  expect(preludeFor('Math.max(1, 2)')).not.toContain('$extend(Array')
})
