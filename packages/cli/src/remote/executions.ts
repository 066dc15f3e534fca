import { every } from '@millrace/client'
import type { executions, Reply } from '@millrace/contract'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { usageFailure } from '#command/failure.ts'
import { formatDuration } from '#terminal/duration.ts'
import { createPaint, type Paint } from '#terminal/paint.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { columns, paintState } from './columns.ts'
import { connect } from './connect.ts'
import { explaining } from './explain.ts'

export interface ExecutionsRequest {
  readonly url: string | undefined
  readonly state: string | undefined
  readonly workflow: string | undefined
  readonly label: string | undefined
  readonly search: string | undefined
  readonly from: string | undefined
  readonly to: string | undefined
  readonly limit: string | undefined
  readonly json: boolean
}

type Found = Reply<typeof executions.search>['data'][number]

const limitDefault = 20
const pageMax = 100

/** Lists executions of all workflows. */
export async function listExecutions(request: ExecutionsRequest, terminal: Terminal): Promise<ExitCode> {
  const limit = limitOf(request.limit)
  const { state, workflow: workflowId, label, search: q } = request
  const filters = { state, workflowId, label, q, from: timeOf('from', request.from), to: timeOf('to', request.to) }
  const { url, client } = await connect(request.url)
  const found = await explaining(url, async () => {
    const all: Found[] = []
    const page = (cursor: string | undefined) =>
      client.executions.search({ query: { ...filters, cursor, limit: Math.min(limit, pageMax) } })
    for await (const one of every(page)) {
      if (all.push(one) === limit) break
    }
    return all
  })
  terminal.stdout.write(request.json ? found.map((one) => `${JSON.stringify(one)}\n`).join('') : table(found, createPaint(terminal.stdout)))
  if (found.length === 0 && !request.json) terminal.stderr.write('No executions match.\n')
  return exitCodes.ok
}

function table(found: readonly Found[], paint: Paint): string {
  const text = columns(
    found.map(({ id, state, createdAt, durationMs, workflowName, labels = {}, error }) => [
      id,
      state,
      createdAt,
      durationMs === null ? '' : formatDuration(durationMs),
      `${[workflowName ?? '', ...labelsOf(labels)].join(' ')}${error === undefined ? '' : `: ${error.title ?? error.detail ?? error.type}`}`,
    ]),
  )
  return text.replaceAll(/^(\S+ +)(\w+)/gm, (_, id: string, state: string) => `${id}${paintState(state, paint)}`)
}

function labelsOf(labels: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(labels).map(([name, value]) => `${name}:${value}`)
}

function limitOf(text: string | undefined): number {
  const limit = text === undefined ? limitDefault : Number(text)
  if (Number.isInteger(limit) && limit > 0 && limit <= 100_000) return limit
  throw usageFailure(`--limit ${text} is not a whole number from 1 to 100000.`)
}

/** A time as the server takes it; a day is its begin in UTC. */
function timeOf(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const at = new Date(text)
  if (!Number.isNaN(at.getTime())) return at.toISOString()
  throw usageFailure(`--${option} ${text} is not a time.`, 'Write for example 2026-01-31 or 2026-01-31T09:00:00Z.')
}
