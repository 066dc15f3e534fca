import { durationMs } from '@millrace/dsl'
import { DatabaseClient, fromTypeId, toTypeId } from '@millrace/server'
import type pg from 'pg'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { Failure, messageOf, usageFailure } from '#command/failure.ts'
import { readConfiguration } from '#command/read-configuration.ts'
import { withPresentDatabase } from '#command/with-database.ts'
import type { Terminal } from '#terminal/terminal.ts'

export interface RetentionRequest {
  readonly json: boolean
  readonly home: string | undefined
  readonly account: string | undefined
  readonly retention: string | undefined
}

/** The retention of an account: milliseconds, forever, or that of the installation. */
type Retention = number | 'forever' | 'default'

interface AccountRow {
  readonly id: string
  readonly name: string
  readonly retention: Retention
}

const dayMs = 86_400_000

/** Sets the retention of an account if one is given, and lists what accounts have. */
export async function showRetention(request: RetentionRequest, terminal: Terminal): Promise<ExitCode> {
  const change = changeOf(request)
  const config = readConfiguration({ home: request.home })
  const accounts = await withPresentDatabase(config, ({ url }) => act(url, change))
  const rows = accounts.map(({ id, name, retention }) => ({ account: toTypeId('acct', id), name, retention: textOf(retention) }))
  const installation = config.retentionMs === undefined ? 'forever' : textOf(config.retentionMs)
  const lines = rows.map(({ account, name, retention }) => `${account}  ${retention.padEnd(8)}  ${name}\n`)
  const listing = `${lines.join('')}"default" is ${installation}, as MILLRACE_RETENTION says.\n`
  terminal.stdout.write(request.json ? `${JSON.stringify(rows, null, 2)}\n` : listing)
  return exitCodes.ok
}

interface Change {
  readonly accountId: string
  readonly retention: Retention
}

function changeOf({ account, retention }: RetentionRequest): Change | undefined {
  if (account === undefined) return undefined
  if (retention === undefined) throw usageFailure('The retention is missing.', 'Write P90D, forever or default after the account.')
  const accountId = fromTypeId('acct', account)
  if (accountId === undefined)
    throw usageFailure(`${JSON.stringify(account)} is not the id of an account.`, '"millrace retention" lists them.')
  if (retention === 'forever' || retention === 'default') return { accountId, retention }
  const ms = durationMs(retention)
  if (ms === undefined || ms < dayMs || ms > 36_500 * dayMs)
    throw usageFailure(
      `${JSON.stringify(retention)} is no time from a day to a hundred years.`,
      'Write for example P90D, forever or default.',
    )
  return { accountId, retention: ms }
}

async function act(url: string, change: Change | undefined): Promise<readonly AccountRow[]> {
  const client = new DatabaseClient({ connectionString: url, application_name: 'millrace retention' })
  try {
    await client.connect()
    if (change !== undefined) await set(client, change)
    return await list(client, change?.accountId)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(messageOf(error), { hint: '"millrace doctor" checks the whole installation.', cause: error })
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function set(client: pg.Client, { accountId, retention }: Change): Promise<void> {
  const { rowCount } = await client.query('select from accounts where id = $1', [accountId])
  if (rowCount === 0) throw new Failure('There is no such account.', { hint: '"millrace retention" lists them.' })
  if (retention === 'default') await client.query('delete from account_retention where account_id = $1', [accountId])
  else
    await client.query(
      `insert into account_retention (account_id, milliseconds) values ($1, $2)
       on conflict (account_id) do update set milliseconds = excluded.milliseconds`,
      [accountId, retention === 'forever' ? null : retention],
    )
}

async function list(client: pg.Client, accountId: string | undefined): Promise<readonly AccountRow[]> {
  const { rows } = await client.query<{ id: string; name: string; ruled: boolean; ms: number | null }>(
    `select a.id, a.name, r.account_id is not null as ruled, r.milliseconds::float8 as ms
     from accounts a left join account_retention r on r.account_id = a.id
     where $1::uuid is null or a.id = $1 order by a.id`,
    [accountId ?? null],
  )
  return rows.map(({ id, name, ruled, ms }) => ({ id, name, retention: ruled ? (ms ?? 'forever') : 'default' }))
}

function textOf(retention: Retention): string {
  if (typeof retention === 'string') return retention
  return retention % dayMs === 0 ? `P${retention / dayMs}D` : `PT${retention / 1000}S`
}
