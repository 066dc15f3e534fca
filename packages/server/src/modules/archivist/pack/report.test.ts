import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeReportPdf } from '#platform/pdf/report-pdf.ts'
import { printedReport, type ReportRow } from './report.ts'
import { reportPage } from './report-page.ts'

const proven = {
  version: 'wf_a version 1',
  isReplayed: true,
  differences: [],
  loggedOn: '2026-10-02',
  digest: `sha256:${'ab'.repeat(32)}`,
  effects: 2,
  approvals: [],
  findings: {},
}
const ended = (day: number, state: string, count: number): readonly ReportRow[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `exec_${day}_${state}_${index}`,
    proven: { ...proven, state, endedAt: `2026-10-0${day}T10:00:00.000Z` },
  }))

/** 29 executions with a receipt: by state 21, 7 and 1, and one without a receipt. */
function example() {
  const others = [...ended(1, 'completed', 11), ...ended(1, 'faulted', 4), ...ended(3, 'completed', 9), ...ended(3, 'faulted', 3)]
  const first = { ...proven, state: 'completed', endedAt: '2026-10-01T10:00:00.000Z', approvals: ['rejected'] }
  const approved: ReportRow = { id: 'exec_first', proven: { ...first, findings: { iban: 5, email: 2 } } }
  const rows = [approved, ...others, ...ended(3, 'cancelled', 1), { id: 'exec_deleted', proven: undefined }]
  const about = { name: 'pack_x', account: 'acct_<b>', selection: { from: '2026-10-01' }, madeAt: new Date('2026-11-01T00:00:00Z') }
  return printedReport({ ...about, rows, days: ['2026-10-02'] })
}

/** The number of pixels of each colour, as hexadecimal digits, of the first page. */
function coloursOf(file: string): ReadonlyMap<string, number> {
  const image = execFileSync('pdftoppm', ['-r', '72', '-f', '1', '-l', '1', '-aa', 'no', '-aaVector', 'no', file], { maxBuffer: 2 ** 26 })
  const pixels = image.subarray(image.length - 842 * 596 * 3)
  const counts = new Map<string, number>()
  for (let at = 0; at < pixels.length; at += 3) {
    const colour = pixels.toString('hex', at, at + 3)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  return counts
}

test.skipIf(!existsSync('/usr/bin/pdftoppm'))('the PDF of a report has its texts, and columns as high as their figures', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-report-'))
  try {
    const file = join(folder, 'report.pdf')
    await writeFile(file, await makeReportPdf(example()))
    const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
    for (const line of [
      /Evidence pack pack_x/,
      /Account acct_<b>, made at 2026-11-01T00:00:00.000Z/,
      /Executions selected +30/,
      /With a receipt +29/,
      /State faulted +7/,
      /Effects with a digest: 58/,
      /rejected +1/,
      /iban +5\n+ *email +2/,
      /2026-10-01 +2026-10-02 +2026-10-03/,
      /exec_deleted +no receipt +It was deleted, or has not ended/,
      /exec_3_cancelled_0 +cancelled +2026-10-03T10:00:00.000Z +wf_a version 1 +same +2026-10-02 +sha256:/,
    ])
      expect(text).toMatch(line)
    const colours = coloursOf(file)
    const faulted = colours.get('b91c1c') ?? 0
    // One square of the legend is 81 pixels; the columns of 7 executions are the rest, and that of one a seventh of it.
    expect(faulted).toBeGreaterThan(1_000)
    expect(((colours.get('a16207') ?? 0) - 81) / (faulted - 81)).toBeCloseTo(1 / 7, 1)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('the page of a report has the same figures, and text of others is no markup', () => {
  const html = reportPage(example())
  expect(html).toContain('<span>State faulted</span>')
  expect(html).toContain('aria-label="completed 21, faulted 7, cancelled 1"')
  expect(html.match(/<rect [^>]+fill="#b91c1c"/g)).toHaveLength(2)
  expect(html).toContain('acct_&lt;b&gt;')
  expect(html).not.toContain('acct_<b>')
})

test('a report names the executions whose record differs from the audit log', () => {
  const row: ReportRow = { id: 'exec_x', proven: { ...proven, state: 'completed', endedAt: undefined, differences: ['output'] } }
  const page = reportPage(printedReport({ name: 'pack_x', account: 'acct_x', selection: {}, madeAt: new Date(0), rows: [row], days: [] }))
  expect(page).toContain('changed or erased since their end was written to the audit log: 1.')
  expect(page).toContain('2026-10-02; other output')
})

test('a period of many days has a column for each month', () => {
  const row = (endedAt: string): ReportRow => ({ id: 'exec_x', proven: { ...proven, state: 'completed', endedAt } })
  const { sections } = printedReport({
    name: 'pack_x',
    account: 'acct_x',
    selection: {},
    madeAt: new Date(0),
    rows: [row('2026-01-31T23:00:00.000Z'), row('2026-04-10T00:00:00.000Z')],
    days: [],
  })
  const chart = sections.find((section) => section.kind === 'columns')?.chart
  expect(chart?.columns.map(({ label, values }) => [label, values[0]])).toEqual([
    ['2026-01', 1],
    ['2026-02', 0],
    ['2026-03', 0],
    ['2026-04', 1],
  ])
})

test('a report says which executions were tests of drafts', () => {
  const tested = { ...proven, state: 'completed', endedAt: '2026-10-01T10:00:00.000Z', version: 'wf_a draft, tested', isTest: true }
  const about = { name: 'pack_x', account: 'acct_a', selection: {}, madeAt: new Date('2026-11-01T00:00:00Z'), days: [] }
  const rowsWith = (rows: readonly ReportRow[]) =>
    printedReport({ ...about, rows }).notes.filter((note) => note.startsWith('Tests of drafts'))
  expect(rowsWith([{ id: 'exec_a', proven: tested }, ...ended(1, 'completed', 1)])).toEqual([
    expect.stringContaining('Tests of drafts: 1.'),
  ])
  expect(rowsWith(ended(1, 'completed', 1))).toEqual([])
})
