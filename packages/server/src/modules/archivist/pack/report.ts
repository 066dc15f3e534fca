import { executionStates, isTerminal } from '@millrace/engine'
import type { ColumnChart } from '#platform/pdf/column-chart.ts'
import type { PrintedReport, PrintedSection } from '#platform/pdf/printed-report.ts'

/** One execution of the report. */
export interface ReportRow {
  readonly id: string
  /** Undefined for an execution without a receipt, because it was deleted or has not ended. */
  readonly proven: ProvenExecution | undefined
}

export interface ProvenExecution {
  readonly state: string
  readonly endedAt: string | undefined
  readonly version: string
  /** Whether a draft was tested. Absent in parts that an earlier release made. */
  readonly isTest?: boolean
  readonly isReplayed: boolean
  /** The day of the audit log that has its end. */
  readonly loggedOn: string | undefined
  /** Members that the audit log has otherwise. */
  readonly differences: readonly string[]
  readonly digest: string
  readonly effects: number
  /** States of its approvals. */
  readonly approvals: readonly string[]
  /** Personal data on which privacy policies decided, by kind. */
  readonly findings: Readonly<Record<string, number>>
}

export interface Report {
  readonly name: string
  readonly account: string
  readonly selection: object
  readonly madeAt: Date
  readonly rows: readonly ReportRow[]
  readonly days: readonly string[]
}

/** In place of the number of a version, which is negative for a draft that was tested. */
export const testedDraft = 'draft, tested'

const stateColors = { completed: '#0f766e', faulted: '#b91c1c', cancelled: '#a16207' } as const
const states = executionStates.filter(isTerminal)
/** Longer periods have a column for a month. */
const dayColumnsMax = 62

/** What a report says, for its page and its PDF. */
export function printedReport({ name, account, selection, madeAt, rows, days }: Report): PrintedReport {
  const proven = rows.flatMap(({ proven: one }) => one ?? [])
  const total = rows.length
  const counted = (label: string, value: number) => ({ label, value, total })
  const summary: PrintedSection = {
    kind: 'bars',
    title: 'Summary',
    bars: [
      counted('Executions selected', total),
      counted('With a receipt', proven.length),
      counted('Replay gives the recorded result', proven.filter(({ isReplayed }) => isReplayed).length),
      counted('End in the audit log', proven.filter(({ loggedOn }) => loggedOn !== undefined).length),
      ...states.map((state) => counted(`State ${state}`, proven.filter((one) => one.state === state).length)),
    ],
  }
  return {
    title: `Evidence pack ${name}`,
    madeAt,
    notes: [
      ...noteOnNothing(rows, selection),
      `Account ${account}, made at ${madeAt.toISOString()}.`,
      `Selection: ${JSON.stringify(selection)}`,
      `Days of the audit log in this pack: ${days.length === 0 ? 'none' : days.join(', ')}. Effects with a digest: ${sum(proven.map(({ effects }) => effects))}.`,
      ...noteOnTests(proven.filter(({ isTest }) => isTest === true).length),
      ...noteOnChanged(proven.filter(({ differences }) => differences.length > 0).length),
    ],
    sections: [
      summary,
      ...columnsOf(proven),
      ...barsOf(
        'Approvals',
        proven.flatMap(({ approvals }) => approvals).map((state) => [state, 1] as const),
      ),
      ...barsOf(
        'Personal data on which privacy policies decided',
        proven.flatMap(({ findings }) => Object.entries(findings)),
      ),
      tableOf(rows),
    ],
  }
}

/** A pack without receipts is whole: it says that there was nothing, so that a reader does not look for what is lost. */
function noteOnNothing(rows: readonly ReportRow[], selection: object): readonly string[] {
  if (rows.some(({ proven }) => proven !== undefined)) return []
  const why = 'executions' in selection ? 'None of the named executions has ended' : 'No execution ended in the period'
  return [`This pack has no evidence of any execution: ${why}. It has no receipts, no journals and no days of the audit log.`]
}

function noteOnTests(count: number): readonly string[] {
  if (count === 0) return []
  return [
    `Tests of drafts: ${count}. The table calls them "${testedDraft}": people tried a workflow before it was published. The number of the version in their receipts is negative.`,
  ]
}

function noteOnChanged(count: number): readonly string[] {
  if (count === 0) return []
  return [
    `Executions whose record was changed or erased since their end was written to the audit log: ${count}. The table names the members.`,
  ]
}

function columnsOf(proven: readonly ProvenExecution[]): readonly PrintedSection[] {
  const ended = proven.flatMap(({ endedAt, state }) => (endedAt === undefined ? [] : [{ day: endedAt.slice(0, 10), state }]))
  const dates = ended.map(({ day }) => day).toSorted()
  const [first, last] = [dates[0], dates.at(-1)]
  if (first === undefined || last === undefined) return []
  const allDays = daysBetween(first, last)
  const length = allDays.length > dayColumnsMax ? 'YYYY-MM'.length : 'YYYY-MM-DD'.length
  const labels = [...new Set(allDays.map((day) => day.slice(0, length)))]
  const chart: ColumnChart = {
    series: states.map((state) => ({ name: state, color: stateColors[state] })),
    columns: labels.map((label) => ({
      label,
      values: states.map((state) => ended.filter((one) => one.day.startsWith(label) && one.state === state).length),
    })),
  }
  return [{ kind: 'columns', title: `Executions by ${allDays.length > dayColumnsMax ? 'month' : 'day'} of their end (UTC)`, chart }]
}

const dayMs = 86_400_000

function daysBetween(first: string, last: string): readonly string[] {
  const count = (Date.parse(last) - Date.parse(first)) / dayMs + 1
  return Array.from({ length: count }, (_, index) => new Date(Date.parse(first) + index * dayMs).toISOString().slice(0, 10))
}

/** Nothing for no figures. */
function barsOf(title: string, figures: readonly (readonly [name: string, count: number])[]): readonly PrintedSection[] {
  const grouped = [...Map.groupBy(figures, ([name]) => name)].map(([label, group]) => ({
    label,
    value: sum(group.map(([, count]) => count)),
  }))
  if (grouped.length === 0) return []
  const total = Math.max(...grouped.map(({ value }) => value))
  const bars = grouped.toSorted((left, right) => right.value - left.value || left.label.localeCompare(right.label))
  return [{ kind: 'bars', title, bars: bars.map((bar) => ({ ...bar, total })) }]
}

function tableOf(rows: readonly ReportRow[]): PrintedSection {
  const columns = [
    { label: 'Execution', share: 19 },
    { label: 'State', share: 8 },
    { label: 'Ended', share: 15 },
    { label: 'Definition', share: 18 },
    { label: 'Replay', share: 7 },
    { label: 'Audit log', share: 8 },
    { label: 'Digest of the statement', share: 24 },
  ]
  return { kind: 'table', title: 'Executions', columns, rows: rows.map(cellsOf) }
}

function cellsOf({ id, proven }: ReportRow): readonly string[] {
  if (proven === undefined) return [id, 'no receipt', '', 'It was deleted, or has not ended.', '', '', '']
  const { state, endedAt, version, isReplayed, loggedOn = 'not in it', differences, digest } = proven
  const logged = differences.length === 0 ? loggedOn : `${loggedOn}; other ${differences.join(', ')}`
  return [id, state, endedAt ?? '', version, isReplayed ? 'same' : 'different', logged, digest]
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
