import { type Json, membersOf, type TimelineEntry } from '@millrace/engine'
import { amountOf } from '#modules/models/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { AgentStats, ShownAgentRun } from './model.ts'

export function runView({ row, state, withheld }: ShownAgentRun) {
  return {
    id: toTypeId('arun', row.id),
    goal: row.goal,
    state,
    outcome: row.outcome ?? null,
    answer: row.answer ?? null,
    ...(withheld === undefined ? {} : { answerWithheld: withheld }),
    quality: row.quality,
    executionId: row.executionId === undefined ? null : toTypeId('exec', row.executionId),
    turns: row.turns,
    toolCalls: row.toolCalls,
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
    cost: amountOf(row.costMicros),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}

const outputMax = 2_000

/** The turns, calls and approvals among the tasks of a run. */
export function stepViews(entries: readonly TimelineEntry[], runId: string) {
  const list = listOf(entries, runId)
  return entries
    .filter(({ position }) => position.startsWith(list))
    .flatMap(({ name, kind, state, startedAtMs, endedAtMs, output, error }) => {
      const step = stepOf(name, kind)
      if (step === undefined || state === 'skipped') return []
      return [
        {
          ...step,
          state,
          startedAt: new Date(startedAtMs).toISOString(),
          endedAt: endedAtMs === undefined ? null : new Date(endedAtMs).toISOString(),
          output: output === undefined ? null : JSON.stringify(shownOutput(output, step.kind)).slice(0, outputMax),
          error: error === undefined ? null : `${error.title}${error.detail === undefined ? '' : `: ${error.detail}`}`,
        },
      ]
    })
}

/** The position of the list of tasks of one run, in an execution that may have several. */
function listOf(entries: readonly TimelineEntry[], runId: string): string {
  const found = entries.find(({ name, output }) => name === 'begin' && membersOf(membersOf(output)['run'])['runId'] === runId)
  return found === undefined ? '' : found.position.slice(0, found.position.lastIndexOf('/0/begin') + 1)
}

/** Of all that flows through a run, what the step gave. */
function shownOutput(output: Json, kind: 'model' | 'tool' | 'approval'): Json {
  const { turn, result, permitted } = membersOf(output)
  return { model: turn, tool: result, approval: permitted === undefined ? undefined : { approved: permitted } }[kind] ?? output
}

function stepOf(name: string, kind: string) {
  if (name === 'turn') return { kind: 'model' as const, name }
  if (name === 'approval') return { kind: 'approval' as const, name }
  return kind === 'try' && name.startsWith('use-') ? { kind: 'tool' as const, name: name.slice('use-'.length) } : undefined
}

export function statsView({ from, to }: { readonly from: Date; readonly to: Date }, stats: AgentStats) {
  const { outcomes, medianMs, p95Ms, costMicros, tools, approved, rejected, ...totals } = stats
  const runs = Object.values(outcomes).reduce((sum, count) => sum + count, 0)
  const ended = runs - (outcomes['running'] ?? 0)
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    runs,
    outcomes: { ...outcomes },
    successRate: ended === 0 ? null : (outcomes['answered'] ?? 0) / ended,
    ...totals,
    tools: Object.fromEntries(Object.entries(tools).map(([name, use]) => [name, { ...use }])),
    approvals: { approved, rejected, rate: approved + rejected === 0 ? null : approved / (approved + rejected) },
    cost: amountOf(costMicros),
    durationMs: { median: medianMs ?? null, p95: p95Ms ?? null },
  }
}
