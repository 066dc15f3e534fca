import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '#testing/server.ts'
import { isIn, needlesOf, patternsOf, replaceIn, replaceInJson } from './needles.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const id = '018f0000-0000-7000-8000-0000abcdef01'
const mark = '[erased:abcdef01-1]'

/** Whether PostgreSQL finds a needle in a text. */
async function isFound(text: string, values: readonly string[]): Promise<boolean> {
  const found = patternsOf(needlesOf(values, id)).map((pattern) => sql`${text}::text ~ ${pattern}`)
  const { rows } = await sql<{ readonly found: boolean }>`select (${sql.join(found, sql` or `)}) as found`.execute(server.database.system)
  return rows[0]?.found === true
}

const alike: readonly (readonly [string, string, readonly string[]])[] = [
  ['the final sigma of Greek', 'Γεώργιος', ['ΓΕΏΡΓΙΟΣ', 'γεώργιος', 'γεώργιοσ']],
  ['a Greek name in capital letters', 'ΓΕΩΡΓΙΟΣ', ['Γεωργιος', 'γεωργιοσ']],
  ['a dotted capital I of Turkish', 'İsmail', ['İSMAİL', 'ismail', 'ISMAIL', 'i̇smail']],
  ['a Turkish name in small letters', 'yıldız@ev.tr', ['YILDIZ@EV.TR', 'YILDIZ@ev.tr']],
  ['a sharp s', 'Straßer', ['STRASSER', 'strasser', 'STRAẞER', 'straßer']],
  ['the sign of kelvin', 'kelvin', ['KELVIN', '\u212Aelvin']],
  ['letters beyond the first plane', '𐐔𐐯𐑅𐐨𐑉𐐯𐐻', ['𐐼𐐯𐑅𐐨𐑉𐐯𐐻']],
  ['a percent-encoded form', 'Renée+1@ü.de', ['ren%C3%A9e%2B1%40%c3%bc.de', 'REN%C3%89E%2b1%40%C3%9C.DE']],
  ['a form of queries', 'José Ruíz', ['jos%C3%89+RU%C3%8DZ']],
  ['a text in JSON', 'O"Neill\\', [String.raw`o\"NEILL\\`]],
  ['signs of regular expressions', 'a.b*c+[d](e){2}|^$/?', ['A.B*C+[D](E){2}|^$/?']],
  ['Arabic', 'فاطمة علي', ['%D9%81%D8%A7%D8%B7%D9%85%D8%A9%20%D8%B9%D9%84%D9%8A']],
]

test.each(alike)('what is found in the database is what is replaced: %s', async (_, value, texts) => {
  for (const text of [value, ...texts]) {
    expect([text, await isFound(`To ${text}.`, [value])]).toEqual([text, true])
    expect(replaceIn(`To ${text}.`, needlesOf([value], id))).toBe(`To ${mark}.`)
  }
})

test('what only looks alike is neither found nor replaced', async () => {
  for (const [value, text] of [
    ['a.b@c.de', 'aXb@c.de'],
    ['Muller', 'Müller'],
    ['ada@example.com', 'ada@example,com'],
  ] as const) {
    expect(await isFound(text, [value])).toBe(false)
    expect(isIn(text, needlesOf([value], id))).toBe(false)
  }
})

test('the longest values of a person are looked for, in no more regular expressions than needed', async () => {
  const values = Array.from({ length: 20 }, (_, index) => `${index} ${'λ'.repeat(310)}`)
  expect(patternsOf(needlesOf(['ada@example.com', 'Ada Lovelace'], id))).toHaveLength(1)
  expect(await isFound(`19 ${'Λ'.repeat(310)}`, values)).toBe(true)
  expect(await isFound(`19 ${'Λ'.repeat(309)}`, values)).toBe(false)
})

test('a value is found in every form in which it is stored, and JSON stays JSON', () => {
  const needles = needlesOf(['a+b@example.com', 'O"Neill', '5551234'], id)
  expect(replaceIn('To A+B@Example.com, ?to=a%2Bb%40example.com', needles)).toBe('To [erased:abcdef01-1], ?to=[erased:abcdef01-1]')
  // Other values stay as they were written.
  const document = String.raw`{"name": "O\"Neill", "5551234": [5551234, 1.50, 12345678901234567890, "\u0041 \\", -5551234.0]}`
  expect(replaceInJson(document, needles)).toBe(
    String.raw`{"name": "[erased:abcdef01-2]", "[erased:abcdef01-3]": ["[erased:abcdef01-3]", 1.50, 12345678901234567890, "\u0041 \\", "-[erased:abcdef01-3].0"]}`,
  )
})
