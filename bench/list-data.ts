import pg from 'pg'

/** The size of the data. */
export interface ListData {
  readonly executions: number
  /** Number of executions of the second workflow with a journal, copied from a real execution. */
  readonly journals: number
}

const days = 90
/** The width for a retention of twelve days, which leads to as many partitions as an installation with longer retention of some accounts has. */
const partitionDays = 3

/** One connection, because it defines functions of its session. */
export function connect(url: string): pg.Pool {
  return new pg.Pool({ connectionString: url, max: 1 })
}

/**
 * Executions of all workflows over the last 90 days in the order of their time: the first workflow has a quarter of
 * them, the others successively fewer. States and triggers are realistic: most completed, one in fifty faulted, a few suspended.
 * No job or timer wakes unfinished ones.
 *
 * @param example a real execution of the second workflow, with the input, output and journal for its copies
 */
export async function fillLists(pool: pg.Pool, example: string, { executions, journals }: ListData): Promise<void> {
  // A hash of the number instead of random values: every run of the bench measures the same rows.
  await pool.query(`create function pg_temp.share(n bigint, seed bigint) returns double precision language sql immutable
    as $$ select (hashint8extended(n, seed) & 1073741823) / 1073741824.0 $$`)
  // Many versions, without statistics, as in a young installation.
  await pool.query(
    `insert into workflow_versions (id, account_id, workflow_id, number, document_version, definition, source, syntax, checksum, warnings,
       checks_input, created_at, created_by)
     select gen_random_uuid(), account_id, workflow_id, n, '1.0.' || n, definition, source, syntax, checksum, warnings, checks_input, created_at, created_by
     from workflow_versions, generate_series(2, 100) n`,
  )
  await makePast(pool)
  await pool.query(
    `insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, output, error, decisions,
       created_at, started_at, ended_at)
     with flows as (
       select row_number() over (order by a.created_at, w.id) - 1 as rank, count(*) over () as flows, w.account_id, w.id, w.latest_version_id
       from workflows w join accounts a on a.id = w.account_id
     ), runs as (
       select n, now() - make_interval(days => $2) + n * (make_interval(days => $2) / ($1::int + 1)) as at,
         pg_temp.share(n, 1) as state, pg_temp.share(n, 2) as trigger, power(pg_temp.share(n, 3), 3) as flow
       from generate_series(1, $1::int) n
     ), named as (
       select n, at, flow,
         case when state < 0.00002 then 'suspended' when state < 0.0001 then 'waiting' when state < 0.00015 then 'running'
           when state < 0.01 then 'cancelled' when state < 0.03 then 'faulted' else 'completed' end as state,
         case when trigger < 0.01 then 'workflow' when trigger < 0.05 then 'event' when trigger < 0.3 then 'webhook'
           when trigger < 0.6 then 'manual' else 'schedule' end as trigger
       from runs
     )
     select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
       f.account_id, f.id, f.latest_version_id, r.state, r.trigger, 'user:bench',
       case when f.rank = 1 then e.input else json_build_object('order', n, 'customer', md5(n::text), 'lines', json_build_array(n, n + 1)) end,
       case when r.state <> 'completed' then null when f.rank = 1 then e.output else json_build_object('total', n, 'note', md5(n::text)) end,
       case when r.state = 'faulted' then json_build_object('type', 'https://serverlessworkflow.io/spec/1.0.0/errors/communication',
         'status', 503, 'title', 'Service Unavailable', 'instance', '/do/0/call') end,
       e.decisions, r.at, r.at, case when r.state in ('completed', 'faulted', 'cancelled') then r.at + interval '120 ms' end
     from named r
     join flows f on f.rank = floor(r.flow * f.flows)
     cross join (select input, output, decisions from executions where id = $3) e
     order by r.n`,
    [executions, days, example],
  )
  await pool.query(
    `insert into journal (execution_id, seq, account_id, position, phase, kind, ok, value, decisions, started_at, ended_at)
     select e.id, j.seq, j.account_id, j.position, j.phase, j.kind, j.ok, j.value, j.decisions,
       e.created_at + (j.started_at - x.created_at), e.created_at + (j.ended_at - x.created_at)
     from (
       select id, created_at from executions
       where workflow_id = (select workflow_id from executions where id = $1) and state = 'completed' and id <> $1
       order by id desc limit $2
     ) e
     cross join executions x join journal j on j.execution_id = x.id
     where x.id = $1`,
    [example, journals],
  )
  await pool.query('vacuum analyze executions')
  await pool.query('vacuum analyze journal')
}

/** Partitions for the time before the installation; the partition of older kept executions is empty and makes room for them. */
async function makePast(pool: pg.Pool): Promise<void> {
  await pool.query(`
    do $$
    declare
      least_id constant text := $id$ (lpad(to_hex(floor(extract(epoch from $1) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid $id$;
      parent text;
      bound text;
      begins uuid;
      ends uuid;
      day int;
    begin
      foreach parent in array array['executions', 'journal'] loop
        select substring(pg_get_expr(relpartbound, oid) from 'TO [(]''([^'']*)') into bound from pg_class where relname = parent || '_kept';
        execute format('alter table %I detach partition %I', parent, parent || '_kept');
        for day in select generate_series(${days + partitionDays}, 1, -${partitionDays}) loop
          execute 'select ' || least_id into begins using date_trunc('day', now(), 'UTC') - make_interval(days => day);
          execute 'select ' || least_id into ends using date_trunc('day', now(), 'UTC') - make_interval(days => day - ${partitionDays});
          if day = ${days + partitionDays} then
            execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', parent, parent || '_kept', begins);
          end if;
          execute format('create table %I partition of %I for values from (%L) to (%L)', parent || '_past' || day, parent, begins,
            least(ends, bound::uuid));
        end loop;
      end loop;
    end
    $$`)
}
