import { expect, test } from 'vitest'
import { rules } from '#modules/erasures/table-rules.ts'
import type { ReportedRecord } from './record-lines.ts'
import { shownRecord } from './report-records.ts'
import { guidanceOf, reportPage, type ReportSummary } from './report-page.ts'

const record: ReportedRecord = {
  category: 'executions',
  id: 'exec_1',
  at: '2026-03-01T09:30:15.000Z',
  name: null,
  fields: ['input', 'output'],
  executionId: 'exec_1',
  workflowId: 'wf_1',
  approvalId: null,
  fileId: null,
  triggerId: null,
  userId: null,
  workflow: 'Orders',
  why: [{ purpose: 'Delivery of orders', legalBasis: 'contract', retention: 'P90D' }],
  data: { input: { email: 'ada@example.com' } },
}

const section = (records: readonly ReportedRecord[], total = records.length) => ({
  table: 'executions',
  category: 'executions',
  records: total,
  shown: records.map(shownRecord),
})

function pageOf(given: Partial<ReportSummary>): string {
  return reportPage({ id: 'pdr_1', locale: 'en', createdAt: new Date('2026-03-02T10:00:00Z'), sections: [], files: [], ...given })
}

test('the summary has each record with when and where it was found, its run, and why it is kept', () => {
  const page = pageOf({ sections: [section([record])] })
  for (const text of [
    '<h2>Runs</h2>',
    '2026-03-01 09:30 UTC',
    '<dt>Found in</dt><dd><bdi>input, output</bdi></dd>',
    '<dt>Workflow</dt><dd><bdi>Orders</bdi></dd>',
    '<dt>Run</dt><dd><bdi>exec_1</bdi></dd>',
    '<dt>Purpose</dt><dd><bdi>Delivery of orders</bdi></dd>',
    '<dt>Legal basis</dt><dd><bdi>Contract</bdi></dd>',
    '<dt>Kept for</dt><dd><bdi>P90D</bdi></dd>',
    'ada@example.com',
  ])
    expect(page).toContain(text)
})

test('what people wrote is text in the summary, and no markup', () => {
  const hostile = '<script>alert(1)</script>'
  const page = pageOf({
    sections: [section([{ ...record, workflow: hostile, name: hostile, at: null, data: { input: hostile } }])],
    files: [{ id: 'file_1', name: hostile, path: 'files/1-x.txt', isOfForm: true }],
  })
  expect(page).not.toContain('<script>')
  expect(page).toContain('&lt;script&gt;')
})

test('the summary in Arabic reads from right to left, with the reasons of the product in Arabic', () => {
  const rule = rules.get('invoices')
  const reason = rule?.kind === 'keep' ? rule.reason : ''
  const kept = { ...record, category: 'invoices', why: [{ reason }] }
  const page = pageOf({ locale: 'ar', sections: [{ table: 'invoices', category: 'invoices', records: 1, shown: [shownRecord(kept)] }] })
  expect(page).toContain('<html lang="ar" dir="rtl">')
  expect(page).toContain('<h2>الفواتير</h2>')
  expect(page).toContain('\u20662026-03-01 09:30 UTC\u2069')
  expect(page).toContain('تُحفظ الفواتير والمدفوعات بحكم النظام.')
  expect(page).not.toContain(reason)
})

test('each reason for which tables are kept exists in Arabic, but for those of deleted accounts, of which no report is made', () => {
  const reasons = new Set([...rules.values()].flatMap((rule) => (rule.kind === 'keep' ? [rule.reason] : [])))
  reasons.delete('Belongs to an account that was deleted and can be restored for some days.')
  for (const reason of reasons) {
    const page = pageOf({ locale: 'ar', sections: [section([{ ...record, why: [{ reason }] }])] })
    expect(page, reason).not.toContain(reason)
  }
})

test('the summary says how many records it does not show, and that a long one is shortened', () => {
  const long = { ...record, data: { input: 'y'.repeat(5_000) } }
  const page = pageOf({ sections: [section([long], 7)] })
  expect(page).toContain('6 more are in the folder “records”.')
  expect(page).toContain('The rest is in the folder “records”.')
  expect(page.length).toBeLessThan(6_000)
})

test('a category whose records are gone is not in the summary, and one without any record says so', () => {
  const page = pageOf({ sections: [section([], 0)] })
  expect(page).toContain('No record contains your data.')
  expect(page).not.toContain('<h2>Runs</h2>')
  expect(pageOf({ files: [{ id: 'file_1', name: 'a.txt', path: 'files/1-a.txt', isOfForm: true }] })).not.toContain('No record')
})

test('files are linked by their paths beside the summary', () => {
  const page = pageOf({ files: [{ id: 'file_1', name: 'forms/é/letter.txt', path: 'files/1-lettré.txt', isOfForm: false }] })
  expect(page).toContain('<a href="files/1-lettr%C3%A9.txt"><bdi>forms/é/letter.txt</bdi></a>')
})

test('the administrator is asked in both languages to review the report before it is handed over', () => {
  expect(guidanceOf('en')).toContain('data of other persons')
  expect(guidanceOf('ar')).toContain('بيانات أشخاص آخرين')
})
