import type pg from 'pg'

/** The rows of one program: of executions, of their journals, and their ends. */
export type BareRow =
  | { readonly kind: 'execution'; readonly id: string; readonly state: string; readonly input: string; readonly output: string | null }
  | { readonly kind: 'entry'; readonly id: string; readonly seq: number; readonly position: string; readonly value: string }
  | { readonly kind: 'end'; readonly id: string; readonly output: string }

interface Waiting {
  readonly rows: readonly BareRow[]
  readonly resolve: () => void
  readonly reject: (cause: unknown) => void
}

const rowsMax = 200
/** While a statement is under way, fewer writes wait for it. */
const writesMin = 16
const accountId = '01900000-0000-7000-8000-000000000000'

/** Makes the two tables of a program that persists executions and does nothing else. */
export async function createBareTables(pool: pg.Pool): Promise<void> {
  await pool.query(`create table bare_executions
    (id uuid primary key, account_id uuid, state text, input json, output json, created_at timestamptz, ended_at timestamptz)`)
  await pool.query(
    'create table bare_journal (execution_id uuid, seq int4, position text, value json, at timestamptz, primary key (execution_id, seq))',
  )
}

/** Group commit in its simplest form: the writes of a turn of the event loop are one statement, at most `lanes` at a time. */
export function createGroupCommit(pool: pg.Pool, lanes: number): (rows: readonly BareRow[]) => Promise<void> {
  const waiting: Waiting[] = []
  let busy = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled || busy >= lanes || waiting.length === 0 || (busy > 0 && waiting.length < writesMin)) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      void flush(waiting.splice(0, rowsMax))
    })
  }

  async function flush(batch: readonly Waiting[]): Promise<void> {
    busy += 1
    try {
      await pool.query(statementOf(batch.flatMap(({ rows }) => rows)))
      for (const { resolve } of batch) resolve()
    } catch (cause) {
      for (const { reject } of batch) reject(cause)
    }
    busy -= 1
    schedule()
  }

  return (rows) =>
    new Promise((resolve, reject) => {
      waiting.push({ rows, resolve, reject })
      schedule()
    })
}

function statementOf(rows: readonly BareRow[]) {
  const executions = rows.filter((row) => row.kind === 'execution')
  const entries = rows.filter((row) => row.kind === 'entry')
  const ends = rows.filter((row) => row.kind === 'end')
  const values: unknown[] = []
  const add = (column: readonly unknown[]) => `$${values.push(column)}`
  const parts: string[] = []
  if (executions.length > 0)
    parts.push(`executions as (
      insert into bare_executions select id, '${accountId}', state, input::json, output::json, now(), case when state = 'completed' then now() end
      from unnest(${add(executions.map(({ id }) => id))}::uuid[], ${add(executions.map(({ state }) => state))}::text[],
        ${add(executions.map(({ input }) => input))}::text[], ${add(executions.map(({ output }) => output))}::text[]) as r(id, state, input, output))`)
  if (entries.length > 0)
    parts.push(`entries as (
      insert into bare_journal select id, seq, position, value::json, now()
      from unnest(${add(entries.map(({ id }) => id))}::uuid[], ${add(entries.map(({ seq }) => seq))}::int4[],
        ${add(entries.map(({ position }) => position))}::text[], ${add(entries.map(({ value }) => value))}::text[]) as r(id, seq, position, value))`)
  if (ends.length > 0)
    parts.push(`ends as (
      update bare_executions e set state = 'completed', output = r.output::json, ended_at = now()
      from unnest(${add(ends.map(({ id }) => id))}::uuid[], ${add(ends.map(({ output }) => output))}::text[]) as r(id, output) where e.id = r.id)`)
  const has = (count: number, letter: string) => (count > 0 ? letter : '')
  const name = `bare-${has(executions.length, 'x')}${has(entries.length, 'j')}${has(ends.length, 'e')}`
  return { name, text: `with ${parts.join(', ')} select 1`, values }
}
