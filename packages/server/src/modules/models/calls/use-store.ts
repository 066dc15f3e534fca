import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { type CallsWanted, wantedOnly } from './call-store.ts'

/** Sums of calls. */
export interface CallSums {
  readonly calls: number
  /** Of them. */
  readonly failed: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costMicros: number
}

export interface ModelUse {
  readonly totals: CallSums
  /** As `2026-01-31`, in UTC, oldest first. */
  readonly days: readonly (CallSums & { readonly day: string })[]
  readonly models: readonly (CallSums & { readonly model: string })[]
  /** Without an id: requests of people. */
  readonly workflows: readonly (CallSums & { readonly workflowId: string | undefined })[]
}

interface SumRow {
  readonly by: 'all' | 'day' | 'model' | 'workflow'
  readonly day: string | null
  readonly model: string | null
  readonly workflow_id: string | null
  readonly calls: string
  readonly failed: string
  readonly input_tokens: string
  readonly output_tokens: string
  readonly cost_micros: string
}

/** Reads the calls once for all sums; their number is bounded by the time for which records are kept. */
export async function sumCalls(executor: Kysely<Rows>, accountId: string, wanted: CallsWanted, groupsMax: number): Promise<ModelUse> {
  const { rows } = await sql<SumRow>`
    select case grouping(day, model, workflow_id) when 7 then 'all' when 3 then 'day' when 5 then 'model' else 'workflow' end as by,
      day, model, workflow_id, count(*)::text as calls, count(failure)::text as failed,
      coalesce(sum(input_tokens), 0)::text as input_tokens,
      coalesce(sum(output_tokens), 0)::text as output_tokens, coalesce(sum(cost_micros), 0)::text as cost_micros
    from (select *, to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day from model_calls
      where account_id = ${accountId} ${wantedOnly(wanted)}) as wanted
    group by grouping sets ((), (day), (model), (workflow_id))
    order by coalesce(sum(cost_micros), 0) desc, count(*) desc`.execute(executor)
  const by = Map.groupBy(rows, (row) => row.by)
  const of = (group: SumRow['by']) => by.get(group) ?? []
  return {
    totals: sumsOf(of('all')[0]),
    days: of('day')
      .map((row) => ({ day: row.day ?? '', ...sumsOf(row) }))
      .toSorted((one, other) => (one.day < other.day ? -1 : 1)),
    models: of('model')
      .slice(0, groupsMax)
      .map((row) => ({ model: row.model ?? '', ...sumsOf(row) })),
    workflows: of('workflow')
      .slice(0, groupsMax)
      .map((row) => ({ workflowId: row.workflow_id ?? undefined, ...sumsOf(row) })),
  }
}

function sumsOf(row: SumRow | undefined): CallSums {
  return {
    calls: Number(row?.calls ?? 0),
    failed: Number(row?.failed ?? 0),
    inputTokens: Number(row?.input_tokens ?? 0),
    outputTokens: Number(row?.output_tokens ?? 0),
    costMicros: Number(row?.cost_micros ?? 0),
  }
}
