import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { executionStates } from '@millrace/engine'
import { createExecutionReader, triggerKinds } from '@millrace/engine/storage'
import { CompiledQuery, type Kysely, type QueryExecutor } from 'kysely'
import * as z from 'zod'
import { pageOfExecutions } from '#modules/executions/list-executions.ts'
import { versionQuery } from '#modules/workflows/index.ts'
import { listWorkflows } from '#modules/workflows/list-workflows.ts'
import { createDatabase, databaseDefaults } from '#platform/db/database.ts'
import type { Prepared, PreparedStatement } from '#platform/db/prepared.ts'
import type { Rows } from '#platform/db/rows.ts'

/** Writes the plans of the statements behind list pages; `bench/lists.ts` starts it and names the statements to explain. */
const Job = z.object({
  url: z.string(),
  folder: z.string(),
  accountId: z.string(),
  busiest: z.string(),
  quiet: z.string(),
  timeline: z.string(),
  cases: z.array(
    z.object({
      name: z.string(),
      what: z.string(),
      page: z.enum(['executions', 'workflows', 'timeline']),
      workflow: z.literal('quiet').optional(),
      query: z.record(z.string(), z.string()),
    }),
  ),
})
const ExecutionsQuery = z.object({
  limit: z.coerce.number<string>().default(25),
  cursor: z.string().optional(),
  state: z.enum(executionStates).optional(),
  trigger: z.enum(triggerKinds).optional(),
  from: z.coerce.date<string>().optional(),
  to: z.coerce.date<string>().optional(),
})
const WorkflowsQuery = z.object({
  limit: z.coerce.number<string>().default(25),
  q: z.string().optional(),
  sort: z.enum(['created', 'name', 'lastExecution']).default('created'),
})

const job = Job.parse(JSON.parse(process.argv[2] ?? ''))
const database = createDatabase({ ...databaseDefaults, url: job.url })
for (const one of job.cases) {
  const plans: string[] = []
  await database.account(job.accountId, (tx) => show(explaining(tx, plans), one))
  await writeFile(join(job.folder, `${one.name}.txt`), `-- ${one.page}: ${one.what}\n\n${plans.join('\n\n')}\n`)
}
await database.close()

async function show(tx: Kysely<Rows>, { page, workflow, query }: z.output<typeof Job>['cases'][number]): Promise<void> {
  if (page === 'timeline') {
    const key = { accountId: job.accountId, id: job.timeline }
    const pool: Prepared = {
      // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- As in the port.
      async query<Row extends object>({ text, values }: PreparedStatement) {
        const { rows } = await tx.executeQuery(CompiledQuery.raw(text, values))
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Only its plan is of interest.
        return { rows: rows as Row[] }
      },
    }
    const reader = createExecutionReader({ pool, versionQuery })
    await reader.executions([key])
    await reader.journal(key)
    return
  }
  if (page === 'executions') {
    const { limit, cursor, state, trigger, from, to } = ExecutionsQuery.parse(query)
    const options = { limit, cursor, state, trigger, from, to, nowMs: Date.now(), versionQuery }
    await pageOfExecutions(tx, job.accountId, workflow === 'quiet' ? job.quiet : job.busiest, options)
    return
  }
  const { limit, q, sort } = WorkflowsQuery.parse(query)
  const all = { cursor: undefined, state: undefined, tag: undefined, trigger: undefined }
  await listWorkflows(tx, job.accountId, { ...all, limit, text: q, sort })
}

/** The same connection, whose every statement is explained before it runs, and twice, so that the pages it needs are in memory as they would be. */
function explaining(tx: Kysely<Rows>, plans: string[]): Kysely<Rows> {
  const executor = tx.getExecutor()
  const explainer = intercepted(executor, 'executeQuery', async (query: CompiledQuery) => {
    const explained = CompiledQuery.raw(`explain (analyze, buffers) ${query.sql}`, [...query.parameters])
    await executor.executeQuery(explained)
    const { rows } = await executor.executeQuery<Record<string, string>>(explained)
    plans.push(`${query.sql.trim()}\n\n${rows.map((row) => row['QUERY PLAN']).join('\n')}`)
    return executor.executeQuery(query)
  })
  return intercepted(tx, 'getExecutor', (): QueryExecutor => explainer)
}

function intercepted<T extends object>(target: T, method: keyof T, replacement: unknown): T {
  return new Proxy(target, {
    get(object, key) {
      if (key === method) return replacement
      const value: unknown = Reflect.get(object, key, object)
      return typeof value === 'function' ? value.bind(object) : value
    },
  })
}
