import { setTimeout as pause } from 'node:timers/promises'
import type { executions, Reply } from '@millrace/contract'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { formatDuration } from '#terminal/duration.ts'
import { createPaint, type Paint } from '#terminal/paint.ts'
import { printableLine } from '#terminal/printable.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { paintState } from './columns.ts'
import { connect, type Connection } from './connect.ts'
import { explaining } from './explain.ts'

export interface LogsRequest {
  readonly id: string
  readonly url: string | undefined
  readonly follow: boolean
  readonly values: boolean
  readonly json: boolean
}

type Detail = Reply<typeof executions.get>
type Entry = Detail['timeline'][number]

const pollMs = 500

/** Prints an execution with its timeline, once or until it has ended. */
export async function logs(request: LogsRequest, terminal: Terminal): Promise<ExitCode> {
  const connection = await connect(request.url)
  const read = () => explaining(connection.url, () => readWhole(connection, request.id))
  const paint = createPaint(terminal.stdout)
  const printed = new Set<string>()
  let detail = await read()
  for (;;) {
    if (!request.json) for (const entry of news(detail, printed)) terminal.stdout.write(entryText(entry, request, paint))
    if (!request.follow || detail.endedAt !== null) break
    await pause(pollMs)
    detail = await read()
  }
  terminal.stdout.write(request.json ? `${JSON.stringify(detail, null, 2)}\n` : summary(detail, printed, request, paint))
  return detail.state === 'faulted' ? exitCodes.failed : exitCodes.ok
}

/** The execution with all pages of its timeline. */
async function readWhole({ client }: Connection, executionId: string): Promise<Detail> {
  const params = { executionId }
  const first = await client.workflows.execution({ params })
  const timeline = [...first.timeline]
  let cursor = first.timelineNextCursor
  while (cursor !== null) {
    const page = await client.workflows.execution({ params, query: { cursor } })
    timeline.push(...page.timeline)
    cursor = page.timelineNextCursor
  }
  return { ...first, timeline, timelineNextCursor: null }
}

/** The entries that have ended and were not printed. */
function news({ timeline }: Detail, printed: Set<string>): readonly Entry[] {
  const found = timeline.filter(({ position, endedAt }) => endedAt !== null && !printed.has(position))
  for (const { position } of found) printed.add(position)
  return found
}

function entryText(
  { startedAt, endedAt, state, name, kind, attempt, iteration, error, ...entry }: Entry,
  { values }: LogsRequest,
  paint: Paint,
): string {
  const took = endedAt === null ? '' : ` ${paint.dim(formatDuration(Date.parse(endedAt) - Date.parse(startedAt)))}`
  const which = `${iteration.map((index) => `[${index}]`).join('')}${attempt > 1 ? ` attempt ${attempt}` : ''}`
  const lines = [
    `${paint.dim(startedAt)}  ${paintState(state.padEnd(9), paint)}  ${printableLine(name)}${which} ${paint.dim(`(${kind})`)}${took}`,
  ]
  if (error !== undefined)
    lines.push(`    ${paint.red(printableLine(`${error.status} ${error.title ?? error.type}: ${error.detail ?? ''}`))}`)
  if (values && entry.input !== undefined) lines.push(`    input   ${JSON.stringify(entry.input)}`)
  if (values && entry.output !== undefined) lines.push(`    output  ${JSON.stringify(entry.output)}`)
  return `${lines.join('\n')}\n`
}

function summary(detail: Detail, printed: ReadonlySet<string>, request: LogsRequest, paint: Paint): string {
  const open = detail.timeline.filter(({ position }) => !printed.has(position)).map((entry) => entryText(entry, request, paint))
  const { id, state, error, createdAt, endedAt } = detail
  const took = endedAt === null ? '' : ` after ${formatDuration(Date.parse(endedAt) - Date.parse(createdAt))}`
  const reason =
    error === undefined ? '' : `\n${paint.red(printableLine(`${error.status} ${error.title ?? error.type}: ${error.detail ?? ''}`))}`
  return `${open.join('')}${id} ${paintState(state, paint)}${took}${reason}\n`
}
