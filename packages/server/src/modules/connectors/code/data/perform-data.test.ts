import { buffer } from 'node:stream/consumers'
import { deflateRawSync } from 'node:zlib'
import { itemsOf, type Json, type JsonObject, membersOf } from '@millrace/engine'
import { zipSync } from 'fflate'
import Pdf from 'pdfkit'
import { describe, expect, test } from 'vitest'
import type { DataOperation } from './data-job.ts'
import { performData } from './perform-data.ts'

async function done(operation: DataOperation, args: JsonObject): Promise<JsonObject> {
  const outcome = await performData({ operation, arguments: args })
  if (outcome.kind === 'invalid') throw new Error(outcome.detail)
  return membersOf(outcome.value)
}

const refusal = async (operation: DataOperation, args: JsonObject) => {
  const outcome = await performData({ operation, arguments: args })
  return outcome.kind === 'invalid' ? outcome.detail : JSON.stringify(outcome.value).slice(0, 500)
}

describe('CSV', () => {
  const rows: Json = [
    { id: '1', note: 'two\nlines, "quoted"' },
    { id: '2', note: '' },
  ]

  test('is read as it was written', async () => {
    const { text } = await done('csv.write', { rows })
    expect(text).toBe('id,note\r\n1,"two\nlines, ""quoted"""\r\n2,\r\n')
    expect(await done('csv.parse', { text: text ?? '' })).toEqual({ rows })
  })

  test('has the columns and the delimiter that are asked for', async () => {
    const made = await done('csv.write', { rows: [{ a: 1, b: true, c: { d: 1 } }], columns: ['c', 'a', 'x', 'b'], delimiter: ';' })
    expect(made).toEqual({ text: 'c;a;x;b\r\n"{""d"":1}";1;;true\r\n' })
    expect(await done('csv.parse', { text: 'a;b\n1;2\n', delimiter: ';', header: false })).toEqual({
      rows: [
        ['a', 'b'],
        ['1', '2'],
      ],
    })
  })

  test('keeps formulas from spreadsheets on demand', async () => {
    expect(await done('csv.write', { rows: [['=1+1']], escapeFormulas: true })).toEqual({ text: "'=1+1\r\n" })
  })

  test('with the name of a prototype in its header is plain data', async () => {
    const { rows: read } = await done('csv.parse', { text: '__proto__,a\n{},1\n' })
    expect(JSON.stringify(read)).toBe('[{"__proto__":"{}","a":"1"}]')
  })

  test.each([
    ['a column that stands twice', 'a,a\n1,2\n', /"a" stands twice/],
    ['rows of different lengths', 'a,b\n1\n', /Invalid Record Length/],
    ['a quote without its end', 'a\n"1\n', /Quote Not Closed/],
    ['too many rows', 'a\n'.repeat(100_010), /more than 100000 rows/],
  ])('%s is refused', async (_what, text, words) => {
    expect(await refusal('csv.parse', { text })).toMatch(words)
  })
})

describe('XML', () => {
  test('is read as it was written', async () => {
    const document = { order: { '@id': '7', item: [{ '@sku': 'a', '#text': 'Tea & <milk>' }, 'Cup'], note: '' } }
    const { text } = await done('xml.write', { document })
    expect(text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<order id="7"><item sku="a">Tea &amp; &lt;milk&gt;</item><item>Cup</item><note/></order>',
    )
    expect(await done('xml.parse', { text: text ?? '' })).toEqual({ document })
  })

  test('leaves texts as they stand, and makes lists where asked to', async () => {
    const text = '<a><b>007</b></a>'
    expect(await done('xml.parse', { text })).toEqual({ document: { a: { b: '007' } } })
    expect(await done('xml.parse', { text, lists: ['b'] })).toEqual({ document: { a: { b: ['007'] } } })
  })

  test.each<[string, string, RegExp]>([
    ['entities', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>', /declares entities/],
    ['an element without its end', '<a><b></a>', /Line 1/],
    ['depth without end', '<a>'.repeat(5_000) + '</a>'.repeat(5_000), /nest|deep/i],
  ])('%s is refused', async (_what, text, words) => {
    expect(await refusal('xml.parse', { text })).toMatch(words)
  })

  test.each<[string, JsonObject, RegExp]>([
    ['markup in a name', { 'a><b': 'x' }, /not the name/],
    ['markup in the name of an attribute', { a: { '@x="1" y': 'x' } }, /not the name/],
    ['two roots', { a: 1, b: 2 }, /one member/],
    ['a list at the root', { a: [1, 2] }, /one member/],
    ['a control character', { a: 'x\u0000' }, /XML cannot have/],
  ])('%s is not written', async (_what, document, words) => {
    expect(await refusal('xml.write', { document })).toMatch(words)
  })
})

describe('a workbook', () => {
  const sheets = [
    {
      name: 'Orders',
      rows: [
        { id: 1, note: '=1+1', paid: true },
        { id: 2.5, note: null, paid: false },
      ],
    },
    { name: 'Lists', rows: [['a', 'b'], ['c']] },
  ]

  test('is read as it was written, and texts stay texts', async () => {
    const { contentBase64 = '' } = await done('spreadsheet.write', { sheets })
    expect(await done('spreadsheet.read', { contentBase64 })).toEqual({ sheets: ['Orders', 'Lists'], rows: sheets[0]?.rows })
    expect(await done('spreadsheet.read', { contentBase64, sheet: 2, header: false })).toMatchObject({
      rows: [
        ['a', 'b'],
        ['c', null],
      ],
    })
    expect(await refusal('spreadsheet.read', { contentBase64, sheet: 'Other' })).toMatch(/no such sheet.*Orders, Lists/)
  })

  test.each<[string, string, RegExp]>([
    ['what is not base64', 'a b!', /not base64/],
    ['what is no archive', Buffer.from('hello').toString('base64'), /not a workbook/],
    ['an archive of something else', Buffer.from(zipSync({ 'a.txt': new Uint8Array(3) })).toString('base64'), /not a workbook/],
  ])('%s is refused', async (_what, contentBase64, words) => {
    expect(await refusal('spreadsheet.read', { contentBase64 })).toMatch(words)
  })

  test('that grows when it is unpacked is refused before it does, also if it lies about its size', async () => {
    const large = Buffer.alloc(80 * 1024 * 1024)
    const archive = Buffer.from(zipSync({ 'xl/workbook.xml': large }, { level: 1 }))
    expect(await refusal('spreadsheet.read', { contentBase64: archive.toString('base64') })).toMatch(/too large when it is unpacked/)
    const size = Buffer.alloc(4)
    size.writeUInt32LE(large.length)
    for (let at = archive.indexOf(size); at >= 0; at = archive.indexOf(size, at + 4)) archive.writeUInt32LE(100, at)
    expect(deflateRawSync(large).length).toBeGreaterThan(100)
    expect(await refusal('spreadsheet.read', { contentBase64: archive.toString('base64') })).toMatch(/not a workbook/)
  })
})

describe('a PDF', () => {
  async function made(options: object = {}): Promise<string> {
    const document = new Pdf(options)
    document.text('Invoice 4711').addPage().text('Page two')
    document.end()
    return (await buffer(document)).toString('base64')
  }

  test('gives the text of each page', async () => {
    expect(await done('pdf.text', { contentBase64: await made() })).toEqual({ pageCount: 2, pages: ['Invoice 4711', 'Page two'] })
  })

  test('that is protected, or no PDF, is refused', async () => {
    expect(await refusal('pdf.text', { contentBase64: await made({ userPassword: 'open' }) })).toMatch(/protected by a password/)
    expect(await refusal('pdf.text', { contentBase64: Buffer.from('%PDF-1.7 nothing').toString('base64') })).toMatch(/not a PDF/)
  })
})

describe('a feed', () => {
  const rss = `<rss version="2.0"><channel><title>News</title><link>https://example.com</link><description>d</description>
    <item><title>One</title><link>https://example.com/1</link><guid>g1</guid><pubDate>Thu, 01 Jan 2026 00:00:00 GMT</pubDate><description>First</description></item>
    <item><title>Two</title></item></channel></rss>`
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><id>x</id><updated>2026-01-01T00:00:00Z</updated><link href="https://example.com"/>
    <entry><id>e1</id><title>One</title><updated>2026-01-01T00:00:00Z</updated><link href="https://example.com/1"/><summary>First</summary></entry></feed>`
  const json = JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'News',
    home_page_url: 'https://example.com',
    items: [{ id: 'j1', title: 'One', url: 'https://example.com/1', date_published: '2026-01-01T00:00:00Z', summary: 'First' }],
  })

  test.each([
    ['rss', rss, 'g1'],
    ['atom', atom, 'e1'],
    ['json', json, 'j1'],
  ])('of the format %s has the same form', async (format, text, id) => {
    expect(await done('rss.read', { text, itemsMax: 1 })).toEqual({
      format,
      title: 'News',
      link: 'https://example.com',
      items: [{ id, title: 'One', link: 'https://example.com/1', publishedAt: '2026-01-01T00:00:00.000Z', summary: 'First' }],
    })
  })

  test('is not what another page is', async () => {
    expect(await refusal('rss.read', { text: '<html></html>' })).toMatch(/not a feed/)
  })
})

test('an output that is too large is refused', async () => {
  expect(await refusal('csv.parse', { text: `a\n${'x'.repeat(1_000)}\n`.repeat(9_000), header: false })).toMatch(/more than 8388608 bytes/)
})

describe('a mail', () => {
  const mail = (text: string, head = '') => ({
    sourceBase64: Buffer.from(
      `From: Ada <ada@example.org>\r\nSubject: Order\r\n${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n${text}\r\n--b\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\na,b\r\n--b--\r\n`,
    ).toString('base64'),
  })

  test('has its text and attachments', async () => {
    expect(await done('mail.read', mail('See below.'))).toMatchObject({
      from: { name: 'Ada', address: 'ada@example.org' },
      subject: 'Order',
      text: expect.stringContaining('See below.'),
      attachments: [{ filename: 'a.csv', size: 4, contentBase64: Buffer.from('a,b\n').toString('base64') }],
    })
  })

  test('that is large loses its least important parts, and always fits', async () => {
    const recipients = `To: ${Array.from({ length: 5_000 }, (_, index) => `${'x'.repeat(300)} <${index}@example.com>`).join(', ')}\r\n`
    const large = await done('mail.read', mail('\u0001'.repeat(200_000), recipients))
    expect(large).toMatchObject({ subject: 'Order', html: null, attachments: [{ filename: 'a.csv', contentBase64: null }] })
    expect(itemsOf(large['to'])).toHaveLength(100)
    expect(large['text']).toHaveLength(10_000)
    expect(JSON.stringify(large).length).toBeLessThan(400 * 1024)
  })
})
