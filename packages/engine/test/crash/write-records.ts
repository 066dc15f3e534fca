import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { Pool } from 'pg'
import { terminalStatesSql } from '#core/execution-state.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { ExecutionRecord } from '#durable/ports/store.ts'
import { readRecord } from '#postgres/journal/execution-record.ts'
import { type GeneratedWorkflows, installation } from './generate-workflows.ts'
import { crashVersion, openLedgerVerifier } from './open-ledger-verifier.ts'

interface Ledger {
  readonly pool: Pool
  readonly generated: GeneratedWorkflows
  readonly compiled: ReadonlyMap<string, CompiledWorkflow>
}

/** Changes of a stored execution that its proof must find, or that do not matter to it; `$1` is its id, `$2` a number. */
const alterations: Readonly<Record<string, string>> = {
  'another output': `update executions set output = '{"n":-1}' where id = $1 and $2::int is not null`,
  'another state': `update executions set state = 'cancelled' where id = $1 and $2::int is not null`,
  'another input': `update executions set input = jsonb_set(input::jsonb, '{n}', to_jsonb(1000 + $2::int))::json where id = $1`,
  'other decisions': `update executions set decisions = decisions || 'i1' where id = $1 and $2::int is not null`,
  'another outcome': `update journal set value = '{"n":-1}' where execution_id = $1 and seq = $2`,
  'a failure for a success': `update journal set ok = not ok where execution_id = $1 and seq = $2`,
  'another position': `update journal set position = position || 'x' where execution_id = $1 and seq = $2`,
  'other decisions of an entry': `update journal set decisions = decisions || 'i1' where execution_id = $1 and seq = $2`,
  'another time': `update journal set ended_at = ended_at + interval '1 hour' where execution_id = $1 and seq = $2`,
  'a lost entry': `delete from journal where execution_id = $1 and seq = $2`,
}

/**
 * Writes ended executions to a file, as they are and altered, each with the verdict of the verifier: a line of JSON each, for `npm run ledger:proofs`.
 * The alterations are made in the database and taken back.
 */
export async function writeRecords({ pool, generated, compiled }: Ledger, file: string): Promise<void> {
  const definitions = new Map(generated.all.map(({ versionId, definition }) => [versionId, definition]))
  const { rows } = await pool.query<{ id: string; account_id: string; entries: number }>(
    `select id, account_id, (select count(*)::int from journal where execution_id = id) as entries
     from executions where state in ${terminalStatesSql} order by id`,
  )
  const out = createWriteStream(file)
  const client = await pool.connect()
  try {
    const verifier = openLedgerVerifier(client, compiled)
    for (const [index, { id, account_id: accountId, entries }] of rows.entries()) {
      const write = async (alteration: string | undefined) => {
        const verdict = await verifier.verify(id)
        const record = await readRecord(client, accountId, id)
        if (record === undefined || verdict === undefined) throw new Error(`the execution ${id} is gone`)
        const line = {
          version: crashVersion,
          alteration,
          verdict: verdict.difference === undefined ? 'same' : 'different',
          record: viewOf(record, definitions.get(record.versionId)),
        }
        out.write(`${JSON.stringify(line)}\n`)
      }
      await write(undefined)
      const [name, sql] = Object.entries(alterations)[index % Object.keys(alterations).length] ?? []
      if (sql === undefined) continue
      await client.query('begin')
      const { rowCount } = await client.query(sql, [id, index % Math.max(1, entries)])
      if (rowCount === 1) await write(name)
      await client.query('rollback')
    }
  } finally {
    client.release()
    out.end()
  }
  await finished(out)
}

/** As `GET /executions/{id}/record` describes it. */
function viewOf({ id, state, input, output, error, decisions, startedAtMs, entries }: ExecutionRecord, definition: unknown) {
  return {
    executionId: id,
    state,
    workflowVersion: 1,
    startedAt: new Date(startedAtMs).toISOString(),
    input,
    output,
    error,
    decisions,
    definition,
    functions: installation.functions,
    resources: {},
    journal: entries.map(({ startedAtMs: beganMs, endedAtMs, ...entry }) => ({
      ...entry,
      startedAt: new Date(beganMs).toISOString(),
      endedAt: new Date(endedAtMs).toISOString(),
    })),
  }
}
