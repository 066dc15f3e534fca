import pg from 'pg'

/** Rows per statement: the number of concurrent executions in the compared row. */
const ROWS = 32

export interface InsertResult {
  readonly perSecond: number
}

/**
 * The bare loop: batches of rows like those of finished executions, in `lanes` connections, each batch one committed statement. It shows
 * the limit of the database on this machine.
 */
export async function bareInserts(url: string, lanes: number, durationMs: number): Promise<InsertResult> {
  const pool = new pg.Pool({ connectionString: url, max: lanes })
  await pool.query('drop table if exists bench_rows')
  await pool.query('create table bench_rows (id uuid primary key, account_id uuid, input json, output json, created_at timestamptz)')
  await pool.query('create index on bench_rows (account_id, id)')
  const endsAt = performance.now() + durationMs
  let rows = 0
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (performance.now() < endsAt) {
        // The batches of one lane are sequential on purpose.
        await pool.query({
          name: 'insert',
          text: `insert into bench_rows select gen_random_uuid(), $1, i::json, o::json, now() from unnest($2::text[], $3::text[]) as r(i, o)`,
          values: ['01900000-0000-7000-8000-000000000000', Array(ROWS).fill('{"n":1}'), Array(ROWS).fill('{"result":5,"text":"two!"}')],
        })
        rows += ROWS
      }
    }),
  )
  await pool.query('drop table bench_rows')
  await pool.end()
  return { perSecond: (rows / durationMs) * 1000 }
}
