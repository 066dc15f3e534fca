import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { AgentStats, ToolUse } from './model.ts'

interface Totals {
  readonly turns: string
  readonly tool_calls: string
  readonly input_tokens: string
  readonly output_tokens: string
  readonly cost_micros: string
  readonly median: number | null
  readonly p95: number | null
}

const toolsMax = 50

/** Figures of the runs that began in a period. */
export async function readStats(
  tx: Kysely<Rows>,
  accountId: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<AgentStats> {
  const within = sql`account_id = ${accountId} and created_at >= ${from} and created_at < ${to}`
  const counted = await sql<{ readonly outcome: string; readonly count: number }>`
    select coalesce(outcome, 'running') as outcome, count(*)::int as count from agent_runs where ${within} group by 1 order by 1`.execute(
    tx,
  )
  const summed = await sql<Totals>`
    select coalesce(sum(turns), 0)::text as turns, coalesce(sum(tool_calls), 0)::text as tool_calls,
      coalesce(sum(input_tokens), 0)::text as input_tokens, coalesce(sum(output_tokens), 0)::text as output_tokens,
      coalesce(sum(cost_micros), 0)::text as cost_micros,
      percentile_cont(0.5) within group (order by extract(epoch from ended_at - created_at) * 1000) as median,
      percentile_cont(0.95) within group (order by extract(epoch from ended_at - created_at) * 1000) as p95
    from agent_runs where ${within}`.execute(tx)
  const used = await sql<{ readonly name: string } & ToolUse>`
    select name, sum((use ->> 'calls')::int)::int as calls, sum((use ->> 'failed')::int)::int as failed, sum((use ->> 'refused')::int)::int as refused,
      sum((use ->> 'approved')::int)::int as approved, sum((use ->> 'rejected')::int)::int as rejected
    from agent_runs, jsonb_each(tool_use) as used (name, use) where ${within} group by name order by calls desc, name`.execute(tx)
  const totals = summed.rows[0]
  const sum = (part: 'approved' | 'rejected') => used.rows.reduce((total, { [part]: count }) => total + count, 0)
  return {
    tools: Object.fromEntries(used.rows.slice(0, toolsMax).map(({ name, ...use }) => [name, use])),
    approved: sum('approved'),
    rejected: sum('rejected'),
    outcomes: Object.fromEntries(counted.rows.map(({ outcome, count }) => [outcome, count])),
    turns: Number(totals?.turns ?? 0),
    toolCalls: Number(totals?.tool_calls ?? 0),
    inputTokens: Number(totals?.input_tokens ?? 0),
    outputTokens: Number(totals?.output_tokens ?? 0),
    costMicros: Number(totals?.cost_micros ?? 0),
    medianMs: totals?.median ?? undefined,
    p95Ms: totals?.p95 ?? undefined,
  }
}
