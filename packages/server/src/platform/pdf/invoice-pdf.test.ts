import { getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { makeInvoicePdf, type PrintedInvoice } from './invoice-pdf.ts'
import { visualRuns } from './visual-runs.ts'

const invoice: PrintedInvoice = {
  title: 'Invoice 17',
  issuedAt: new Date('2026-03-01T00:00:00Z'),
  parties: [
    { label: 'From', lines: ['Mill AG'] },
    { label: 'To', lines: ['شركة الحداد للتجارة (Haddad) 2026', 'Łódź Müller & Søn Ελλάς Москва'] },
  ],
  details: [['Date', '2026-03-01']],
  columns: ['Item', 'Net'],
  rows: Array.from({ length: 90 }, (_, index) => [`Workshop ${index + 1}`, '450.00']),
  totals: [['Total', 'EUR 40,500.00']],
  notes: ['A note.'],
  attachment: { name: 'invoice.xml', media: 'text/xml', content: Buffer.from('<Invoice/>'), description: 'The invoice' },
}

test('an invoice of several pages has all its texts in Latin and Arabic, its file inside, and the marks of PDF/A-3b', async () => {
  const bytes = await makeInvoicePdf(invoice)
  const document = await getDocumentProxy(new Uint8Array(bytes))
  expect(document.numPages).toBeGreaterThan(1)
  const texts: string[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent()
    texts.push(...items.map((item) => ('str' in item ? item.str : '')))
  }
  const text = texts.join(' ').replaceAll(/\s+/g, ' ')
  for (const wanted of ['Invoice 17', 'Mill AG', 'Haddad', '2026', 'Workshop 90', 'EUR 40,500.00', 'A note.'])
    expect(text).toContain(wanted)
  // Glyphs of Arabic are drawn from the left; each maps to its letter.
  expect([...text].filter((character) => /\p{Script=Arabic}/u.test(character)).length).toBeGreaterThan(12)
  expect(text.replaceAll(' ', '')).toContain('ŁódźMüller&SønΕλλάςМосква')
  expect(text).not.toContain('\u0000')
  expect([...((await document.getAttachments()) ?? new Map<string, unknown>()).keys()]).toEqual(['invoice.xml'])
  expect(Buffer.from((await document.getAttachmentContent('invoice.xml')) ?? []).toString()).toBe('<Invoice/>')
  const raw = bytes.toString('latin1')
  expect(raw).toContain('/AFRelationship /Alternative')
  expect(raw).toContain('/OutputIntents')
  expect(raw).toMatch(/pdfaid:part>?.?3|pdfaid:part="3"/)
})

test.for<readonly [string, readonly string[]]>([
  ['plain text', ['plain text']],
  ['Mr حداد, Berlin', ['Mr ', 'حداد', ', Berlin']],
  // The brackets are mirrored, and each run is read in its own direction.
  ['شركة 42 (Mill) ab', ['ab', '( ', 'Mill', ' )', '42', 'شركة ']],
])('the runs of %j are in the order in which they are seen', ([line, runs]) => {
  expect(visualRuns(line).map(({ text }) => text)).toEqual(runs)
})

test('long texts without spaces are broken into lines that fit', async () => {
  const words = ['x'.repeat(1_000), 'ب'.repeat(1_000), 'x '.repeat(500)]
  const bytes = await makeInvoicePdf({ ...invoice, rows: Array.from({ length: 30 }, (_, index) => [words[index % 3] ?? '', '450.00']) })
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const { items } = await (await document.getPage(1)).getTextContent()
  const lines = items.flatMap((item) => ('str' in item && /^x{5,}$/.test(item.str) ? [item] : []))
  expect(lines.length).toBeGreaterThan(5)
  for (const { width } of lines) expect(width).toBeLessThan(595.28 - 100 - 88)
})
