import type { Pool } from 'pg'

/**
 * Copies an execution that waits for an event `count` times. Each copy waits for another order: `prefix` and a number from 1.
 * @param example a parked execution of the workflow `waits`.
 */
export async function copyWaiting(pool: Pool, example: string, prefix: string, count: number): Promise<void> {
  // The ids contain times, like those of real executions.
  await pool.query(
    `create temporary table copies on commit preserve rows as
     select n, $1 || n as name, (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n / 65536), 3, '0') || '8'
       || lpad(to_hex(n % 65536), 4, '0') || substr(md5($1 || n), 1, 11))::uuid as id from generate_series(1, $2::int) n`,
    [prefix, count],
  )
  await pool.query(
    `insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, depth, input, created_at, started_at)
     select c.id, e.account_id, e.workflow_id, e.version_id, 'waiting', e.trigger, e.actor, 0, json_build_object('order', c.name), now(), now()
     from executions e, copies c where e.id = $1`,
    [example],
  )
  await pool.query(
    `insert into journal (execution_id, seq, account_id, position, phase, kind, ok, value, decisions, started_at, ended_at)
     select c.id, j.seq, j.account_id, j.position, j.phase, j.kind, j.ok, j.value, j.decisions, j.started_at, j.ended_at
     from journal j, copies c where j.execution_id = $1`,
    [example],
  )
  // The key is the engine's digest of the values. With a wrong digest no listener would be found, and the bench would fail.
  await pool.query(
    `insert into listeners (id, account_id, execution_id, position, role, index, takes, filter_id, expected, open_names, key, matched_at)
     select gen_random_uuid(), l.account_id, c.id, l.position, l.role, l.index, l.takes, l.filter_id, json_build_object('order', c.name), '{}',
       left(translate(encode(sha256(convert_to('{"order":"' || c.name || '"}', 'UTF8')), 'base64'), '+/', '-_'), 32), now()
     from listeners l, copies c where l.execution_id = $1`,
    [example],
  )
  await pool.query('drop table copies')
  for (const table of ['executions', 'journal', 'listeners']) await pool.query(`vacuum analyze ${table}`)
}

/** Inserts `count` kept events of a type for an account, compared with all listeners. Each is about another order: `prefix` and a number from 1. */
export async function copyKept(pool: Pool, accountId: string, type: string, prefix: string, count: number): Promise<void> {
  await pool.query(
    `insert into events (id, account_id, source, event_id, type, envelope, received_at, expires_at, matched_at)
     select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n / 65536), 3, '0') || '8'
         || lpad(to_hex(n % 65536), 4, '0') || substr(md5($3 || n), 1, 11))::uuid, $1, '/bench', $3 || n, $2,
       json_build_object('specversion', '1.0', 'id', $3 || n, 'source', '/bench', 'type', $2::text, 'data', json_build_object('order', $3 || n)),
       now(), now() + interval '1 day', now()
     from generate_series(1, $4::int) n`,
    [accountId, type, prefix, count],
  )
  await pool.query('vacuum analyze events')
}
