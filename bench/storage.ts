import pg from 'pg'
import { openBenchEngine } from './bench-engine.ts'
import { startThrowawayDatabase } from './throwaway-database.ts'

/** `npm run bench:storage [executions]`: bytes of tables, indexes and log (WAL) for an execution, for a task with an effect, and for a large payload. */
const count = Number(process.argv[2] ?? 2_000)
const tasks = 10
const effect = `{ call: http, with: { method: post, endpoint: { uri: 'http://effect/' } } }`
const database = await startThrowawayDatabase()
const pool = new pg.Pool({ connectionString: database.url, max: 1 })
const row = { id: 4711, status: 'shipped', note: 'left with the neighbour', lines: [1, 2, 3], price: '12.50' }
const large = { rows: Array.from({ length: 1_000 }, (_, id) => ({ ...row, id })) }
const { start, engine, accountId, close } = await openBenchEngine(database.url, {
  definitions: {
    none: 'do: [{ one: { set: { done: true } } }]',
    ten: `do: [${Array.from({ length: tasks }, (_, n) => `{ task${n}: ${effect} }`).join(', ')}]`,
  },
  functions: { http: async () => row },
})

interface Taken {
  readonly tables: number
  readonly indexes: number
  readonly log: number
}

async function taken(): Promise<Taken> {
  const { rows } = await pool.query<Taken>(
    `select sum(pg_table_size(c.oid))::float8 as tables, sum(pg_indexes_size(c.oid))::float8 as indexes,
       pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as log
     from pg_class c join pg_inherits i on i.inhrelid = c.oid where c.relkind = 'r'`,
  )
  return rows[0] ?? { tables: 0, indexes: 0, log: 0 }
}

async function measure(name: string, executions: number, input: object): Promise<Taken> {
  const before = await taken()
  for (let done = 0; done < executions; done += 50)
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const end = await engine.outcome(accountId, await start(name, input), 60_000)
        if (end?.state !== 'completed') throw new Error(`an execution of the bench ended ${end?.state}`)
      }),
    )
  const after = await taken()
  const each = (of: keyof Taken) => (after[of] - before[of]) / executions
  return { tables: each('tables'), indexes: each('indexes'), log: each('log') }
}

function report(what: string, { tables, indexes, log }: Taken): void {
  process.stdout.write(`${what.padEnd(60)} ${[tables, indexes, log].map((bytes) => `${Math.round(bytes)} B`.padStart(10)).join('')}\n`)
}

process.stdout.write(`${''.padEnd(60)}     tables   indexes       log\n`)
const none = await measure('none', count, { order: 4711 })
report('an execution without effects', none)
const ten = await measure('ten', count, { order: 4711 })
report(`an execution of ${tasks} effects, ${JSON.stringify(row).length} B each`, ten)
const perTask = (of: keyof Taken) => (ten[of] - none[of]) / tasks
report('so a task with an effect', { tables: perTask('tables'), indexes: perTask('indexes'), log: perTask('log') })
report(`an input of ${JSON.stringify(large).length} B more`, await measure('none', 200, large))
await close()
await pool.end()
await database.stop()
