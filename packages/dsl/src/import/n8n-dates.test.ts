import { expect, test } from 'vitest'
import { importWorkflow } from './index.ts'
import { exportOf, node } from '#src/testing/n8n-export.ts'

const berlin = 'Europe/Berlin'

/** What the report has to say of a step after a webhook, and how many parts are to check. */
function reportOn(step: object, timezone?: string) {
  const source = exportOf([node('Hook', 'webhook'), step], [['Hook', 0, 'Step']])
  const { report } = importWorkflow({ ...source, ...(timezone === undefined ? {} : { settings: { timezone } }) })
  return { adapted: report.parts.adapted, reasons: report.findings.filter(({ part }) => part === 'Step').map(({ reason }) => reason) }
}

const setting = (value: string) => node('Step', 'set', { assignments: { assignments: [{ name: 'x', type: 'string', value }] } })

test.each([
  "={{ $now.toFormat('HH:mm') }}",
  '={{ $today }}',
  "={{ DateTime.fromISO($json.body.at).toFormat('d.M.') }}",
  '={{ $json.body.at.toDateTime().day }}',
  '={{ new Date().getHours() }}',
])('a step that computes local dates is to be checked: %s', (value) => {
  const { adapted, reasons } = reportOn(setting(value), berlin)
  expect(adapted).toBe(1)
  expect(reasons).toEqual([expect.stringMatching(/In n8n their zone is Europe\/Berlin\. Here it is UTC/)])
})

test('so are code and a date node, and an export without a zone', () => {
  expect(reportOn(node('Step', 'code', { jsCode: 'return [{ json: { at: $now.toISO() } }]' }), berlin).adapted).toBe(1)
  expect(reportOn(node('Step', 'dateTime', { operation: 'getCurrentDate' }), berlin).adapted).toBe(1)
  expect(reportOn(setting('={{ $today }}')).reasons).toEqual([
    expect.stringContaining('that of its server, which the export does not name'),
  ])
})

test('so is a zone that an expression sets, whatever the zone of the export', () => {
  const { reasons } = reportOn(setting("={{ $now.setZone('Asia/Tokyo').hour }}"), 'UTC')
  expect(reasons).toEqual([expect.stringContaining('in the zone Asia/Tokyo')])
})

test.each([
  ['={{ $now.toMillis() }}', berlin],
  ['={{ $now.toUTC().toISODate() }}', berlin],
  ['={{ new Date().toISOString() }}', berlin],
  ["={{ $now.toFormat('HH:mm') }}", 'Etc/UTC'],
  ['={{ $json.body.now }}', berlin],
])('what is the same in every zone is not: %s in %s', (value, zone) => {
  expect(reportOn(setting(value), zone)).toEqual({ adapted: 0, reasons: [] })
})

test('a webhook is to be created without a mapping, and has another URL', () => {
  const { report } = importWorkflow(exportOf([node('Hook', 'webhook'), setting('x')], [['Hook', 0, 'Step']]))
  expect(report.findings).toMatchObject([
    { outcome: 'note', part: 'Hook', reason: expect.stringMatching(/without a mapping.*Its URL is another/) },
  ])
})
