import { createHash, createPublicKey, verify } from 'node:crypto'
import canonicalize from 'canonicalize'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { documentOf, greets } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const path = '/api/v1/audit'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const logged = async (account: TestAccount, count: number) => {
  await expect
    .poll(async () => {
      const { body } = await account.send('GET', `${path}/query?limit=100`)
      return body.data.filter((event: { log: unknown }) => event.log !== null).length
    })
    .toBeGreaterThanOrEqual(count)
  return (await account.send('GET', `${path}/query?limit=100`)).body.data
}

// An implementation of RFC 6962 of its own, which shares nothing with the one under test: by recursion over all leaves.
const sha = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
function treeHash(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 1) return sha(Buffer.from([0]), leaves[0] ?? Buffer.alloc(0))
  const split = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1)
  return sha(Buffer.from([1]), treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)))
}

function commitmentOf({ salt, ip, details }: { readonly salt?: unknown; readonly ip?: unknown; readonly details?: unknown }): Buffer {
  return sha(Buffer.from(canonicalize({ salt, ip, details }) ?? ''))
}

function leafOf({ index, entry }: { index: number; entry: Record<string, unknown> }): Buffer {
  const { salt: _salt, ip: _ip, details: _details, ...open } = entry
  const commitment = commitmentOf(entry).toString('hex')
  return Buffer.from(canonicalize({ ...open, index, commitment, version: 1 }) ?? '')
}

async function exported(account: TestAccount, date: string) {
  const lines: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await account.send('GET', `${path}/export/${date}${cursor}`)
    lines.push(...body.lines)
    if (body.nextCursor === null) return lines
    cursor = `?cursor=${body.nextCursor}`
  }
}

describe('the log of a day', () => {
  test('has a root and a signature that an independent implementation computes from the exported events', async () => {
    const account = await server.registerAccount()
    for (let index = 0; index < 6; index++) await account.send('POST', '/api/v1/workflows', { definition: documentOf(greets, `w${index}`) })
    const [{ log }] = await logged(account, 7)
    const lines = (await exported(account, log.date)).map((line) => JSON.parse(line))
    const { day } = lines.at(-1)
    const first = Buffer.from(canonicalize({ log: day.log, date: day.date, previous: day.previous, version: 1 }) ?? '')
    const leaves = [first, ...lines.slice(1, -1).map(({ leaf }) => leafOf(leaf))]
    expect(leaves).toHaveLength(8)
    const { note, size } = day.checkpoints.at(-1)
    expect(size).toBe(8)
    const root = treeHash(leaves)
    expect(note.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^millrace\/audit\/acct_\w+\/\d{4}-\d\d-\d\d$/),
      '8',
      root.toString('base64'),
    ])
    const { keys } = (await account.send('GET', `${path}/keys`)).body
    const { publicKey } = keys.find(({ purpose }: { purpose: string }) => purpose === 'checkpoint')
    const signature = Buffer.from(note.trimEnd().split(' ').at(-1), 'base64').subarray(4)
    const text = Buffer.from(note.slice(0, note.indexOf('\n\n') + 1))
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    expect(verify(null, text, key, signature)).toBe(true)
  })

  test('has the end of every execution with the digests of its input and output', async () => {
    const account = await server.registerAccount()
    const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets) } })
    const run = await account.send('POST', `/api/v1/workflows/${id}/execute`, { input: { name: 'Ada' } }, { prefer: 'wait=10' })
    await expect
      .poll(async () => (await account.send('GET', `${path}/query?target=${run.body.id}&event=execution.*`)).body.data)
      .toEqual([
        expect.objectContaining({
          event: 'execution.ended',
          actor: 'system:engine',
          details: expect.objectContaining({
            state: 'completed',
            workflow: id,
            inputDigest: `sha256:${createHash('sha256').update('{"name":"Ada"}').digest('hex')}`,
            outputDigest: `sha256:${createHash('sha256')
              .update(canonicalize(run.body.output) ?? '')
              .digest('hex')}`,
          }),
        }),
      ])
  })

  test('contains each event once, whatever number of processes append and however often one dies before its commit', async () => {
    const account = await server.registerAccount()
    await using second = { server: await server.startSecond(), [Symbol.asyncDispose]: async () => undefined }
    expect(second.server.url).not.toBe(server.url)
    const creating = Array.from({ length: 30 }, async (_, index) => {
      await account.send('POST', '/api/v1/workflows', { definition: documentOf(greets, `n${index}`) })
      // Every second one loses the transaction that appends.
      if (index % 2 === 0)
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
          and pid in (select pid from pg_locks where locktype = 'advisory' and objid = ${0x61756469})`.execute(server.database.system)
    })
    await Promise.all(creating)
    const events = await logged(account, 31)
    const places = events.map(({ log }: { log: { index: number } }) => log.index).toSorted((a: number, b: number) => a - b)
    expect(places).toEqual(Array.from({ length: 31 }, (_, index) => index + 1))
    expect((await account.send('GET', `${path}/verify`)).body).toMatchObject({ verified: true, continueFrom: null })
  })

  test('begins with the root of the day before', async () => {
    const account = await server.registerAccount()
    await logged(account, 1)
    await asSuperuser(async (run) => {
      await run(`update audit_days set day = day - 1 where account_id = '${account.accountId}'`)
      await run(`update audit_leaves set day = day - 1 where account_id = '${account.accountId}'`)
      await run(`update audit_checkpoints set day = day - 1 where account_id = '${account.accountId}'`)
    })
    await account.send('POST', '/api/v1/workflows', { definition: documentOf(greets) })
    await logged(account, 2)
    const rows = await sql<{
      day: string
      size: number
      root: Buffer
      previous_size: number | null
      previous_root: Buffer | null
      closed: boolean
    }>`
      select day::text, size, root, previous_size, previous_root, closed_at is not null as closed from audit_days
      where account_id = ${account.accountId} order by day`.execute(server.database.system)
    const [before, after] = rows.rows
    expect(before).toMatchObject({ closed: true, previous_root: null })
    expect(after).toMatchObject({ size: 2, previous_size: 2, previous_root: before?.root, closed: false })
  })
})

/** Runs statements as an attacker with all rights on the database: no trigger fires. */
async function asSuperuser(work: (run: (text: string) => Promise<unknown>) => Promise<void>) {
  await server.database.system.transaction().execute(async (tx) => {
    // Without the lock, the process that appends would deadlock with the statements that follow.
    await sql`select pg_advisory_xact_lock(${0x61756469})`.execute(tx)
    const all = ['audit_events', 'audit_leaves', 'audit_checkpoints']
    for (const table of all) await sql.raw(`alter table ${table} disable trigger user`).execute(tx)
    await work((text) => sql.raw(text).execute(tx))
    for (const table of all) await sql.raw(`alter table ${table} enable trigger user`).execute(tx)
  })
}

/** Waits for a checkpoint of this size: until one is signed, a leaf that was replaced together with its row cannot be found. */
const signed = (account: TestAccount, size: number) =>
  expect
    .poll(
      async () =>
        (
          await sql<{ size: number }>`select max(size) as size from audit_checkpoints where account_id = ${account.accountId}`.execute(
            server.database.system,
          )
        ).rows[0]?.size,
    )
    .toBe(size)

describe('verification', () => {
  interface Tampering {
    readonly name: string
    readonly sql: (place: {
      account: string
      index: number
      other: number
      event: string
      otherEvent: string
      commitment: string
    }) => string
    readonly finds: (place: { index: number; other: number }) => { readonly kind: string; readonly index?: number | null }
  }

  const column = (name: string, change: string): Tampering => ({
    name: `the ${name} of a row`,
    sql: ({ event }) => `update audit_events set ${change} where id = '${event}'`,
    finds: ({ index }) => ({ kind: 'row_changed', index }),
  })
  const leafAt = ({ account, index }: { account: string; index: number }) => `account_id = '${account}' and index = ${index}`

  const tamperings: readonly Tampering[] = [
    column('actor', `actor = actor || 'x'`),
    column('event', `event = 'workflow.read'`),
    column('target', `target = 'wf_other'`),
    column('time by a microsecond', `at = at + interval '1 microsecond'`),
    column('request id', `request_id = 'other'`),
    column('address', `ip = '10.0.0.1'`),
    column('details', `details = details || '{"x":1}'`),
    column('salt', `salt = set_byte(salt, 3, (get_byte(salt, 3) + 1) % 256)`),
    column('account', `account_id = null`),
    {
      name: 'the details of a row that seems to be erased',
      sql: ({ event, commitment }) =>
        `update audit_events set details = '{"x":1}', ip = '10.0.0.1', commitment = '${commitment}' where id = '${event}'`,
      finds: ({ index }) => ({ kind: 'row_changed', index }),
    },
    {
      name: 'a row with its commitment beside its details',
      sql: ({ event, commitment }) => `update audit_events set commitment = '${commitment}' where id = '${event}'`,
      finds: ({ index }) => ({ kind: 'row_changed', index }),
    },
    {
      name: 'a deleted row',
      sql: ({ event }) => `delete from audit_events where id = '${event}'`,
      finds: ({ index }) => ({ kind: 'row_missing', index }),
    },
    {
      name: 'an inserted row',
      sql: ({ account }) =>
        `insert into audit_events (id, account_id, at, actor, event) values (gen_random_uuid(), '${account}', now(), 'user:x', 'x.y')`,
      finds: () => ({ kind: 'row_inserted' }),
    },
    {
      name: 'two rows that exchanged their contents',
      sql: ({ event, otherEvent }) =>
        `update audit_events a set actor = b.actor, event = b.event, target = b.target, request_id = b.request_id, details = b.details, at = b.at from audit_events b
          where a.id in ('${event}', '${otherEvent}') and b.id in ('${event}', '${otherEvent}') and a.id <> b.id`,
      finds: ({ index }) => ({ kind: 'row_changed', index }),
    },
    {
      name: 'two leaves that exchanged their events',
      sql: ({ account, index, other, event, otherEvent }) =>
        `update audit_leaves set event_id = null where account_id = '${account}' and index = ${index};
         update audit_leaves set event_id = '${event}' where account_id = '${account}' and index = ${other};
         update audit_leaves set event_id = '${otherEvent}' where account_id = '${account}' and index = ${index}`,
      finds: ({ index }) => ({ kind: 'row_moved', index }),
    },
    {
      name: 'a byte of a leaf',
      sql: (place) => `update audit_leaves set hash = set_byte(hash, 7, (get_byte(hash, 7) + 1) % 256) where ${leafAt(place)}`,
      finds: ({ index }) => ({ kind: 'leaf_changed', index }),
    },
    {
      name: 'a deleted leaf',
      sql: (place) => `delete from audit_leaves where ${leafAt(place)}`,
      finds: ({ index }) => ({ kind: 'leaf_missing', index }),
    },
    {
      name: 'the root of the day',
      sql: ({ account }) => `update audit_days set root = set_byte(root, 0, (get_byte(root, 0) + 1) % 256) where account_id = '${account}'`,
      finds: () => ({ kind: 'day_changed' }),
    },
    {
      name: 'the root in a checkpoint',
      sql: ({ account }) =>
        `update audit_checkpoints set note = regexp_replace(note, '\\n.{4}(.*\\n\\n)', E'\\nAAAA\\\\1') where account_id = '${account}'`,
      finds: () => ({ kind: 'checkpoint_invalid' }),
    },
    {
      name: 'a deleted checkpoint',
      sql: ({ account }) => `delete from audit_checkpoints where account_id = '${account}'`,
      finds: () => ({ kind: 'checkpoint_missing' }),
    },
  ]

  const rounds = inject('deep') ? 1_000 : 30

  test(`finds and names each of ${rounds} random tamperings that a superuser made in the database`, async () => {
    const account = await server.registerAccount()
    for (let index = 0; index < 12; index++)
      await account.send('POST', '/api/v1/workflows', { definition: documentOf(greets, `t${index}`) })
    const [{ log }] = await logged(account, 13)
    await exported(account, log.date)
    await logged(account, 14)
    await exported(account, log.date)
    await logged(account, 15)
    await signed(account, 16)
    const { rows } = await sql<{ index: number; event_id: string; details: object; ip: string | null; salt: string }>`
      select l.index, l.event_id, e.details, host(e.ip) as ip, encode(e.salt, 'hex') as salt
      from audit_leaves l join audit_events e on e.id = l.event_id where l.account_id = ${account.accountId} order by l.index`.execute(
      server.database.system,
    )
    const before = (await account.send('GET', `${path}/verify/${log.date}`)).body
    expect(before).toMatchObject({ verified: true, day: { leaves: 16, findings: [] } })
    let seed = 4711
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.floor((seed / 2 ** 31) * below)
    }
    for (let round = 0; round < rounds; round++) {
      const tampering = tamperings[round % tamperings.length]
      const one = rows[1 + random(rows.length - 1)]
      const two = rows.filter((row) => row !== one)[random(rows.length - 1)]
      if (tampering === undefined || one === undefined || two === undefined) throw new Error('the test has no row to tamper with')
      const place = {
        account: account.accountId,
        index: one.index,
        other: two.index,
        event: one.event_id,
        otherEvent: two.event_id,
        commitment: `\\x${commitmentOf(one).toString('hex')}`,
      }
      await keepTables(account.accountId)
      await asSuperuser(async (run) => {
        for (const statement of tampering.sql(place).split(';')) await run(statement)
      })
      const { body } = await account.send('GET', `${path}/verify/${log.date}`)
      expect(body.verified, tampering.name).toBe(false)
      expect(body.day.findings, tampering.name).toContainEqual(expect.objectContaining(tampering.finds(place)))
      await restoreTables(account.accountId)
    }
    expect((await account.send('GET', `${path}/verify/${log.date}`)).body).toEqual(before)
  })

  const tables = ['audit_events', 'audit_leaves', 'audit_days', 'audit_checkpoints']

  async function keepTables(accountId: string) {
    await asSuperuser(async (run) => {
      for (const table of tables) {
        await run(`drop table if exists kept_${table}`)
        await run(`create table kept_${table} as select * from ${table} where account_id = '${accountId}'`)
      }
    })
  }

  async function restoreTables(accountId: string) {
    await asSuperuser(async (run) => {
      await run(`delete from audit_events where id in (select id from kept_audit_events)`)
      for (const table of tables) {
        await run(`delete from ${table} where account_id = '${accountId}'`)
        await run(`insert into ${table} select * from kept_${table}`)
        await run(`drop table kept_${table}`)
      }
    })
  }

  test('names the checkpoint from which on a row was replaced together with its leaf', async () => {
    const account = await server.registerAccount()
    await logged(account, 1)
    const [{ log }] = await logged(account, 1)
    await exported(account, log.date)
    await asSuperuser(async (run) => {
      await run(`update audit_leaves set hash = sha256('other') where account_id = '${account.accountId}' and index = 1`)
      await run(`update audit_events set actor = 'user:other' where account_id = '${account.accountId}'`)
    })
    const { body } = await account.send('GET', `${path}/verify`)
    expect(body).toMatchObject({ verified: false })
    expect(body.days[0].findings.map(({ kind }: { kind: string }) => kind)).toContain('root_differs')
  })

  test('finds a whole day that was deleted, by the first leaf of the next one', async () => {
    const account = await server.registerAccount()
    await logged(account, 1)
    const move = async (run: (text: string) => Promise<unknown>) => {
      for (const table of ['audit_days', 'audit_leaves', 'audit_checkpoints'])
        await run(`update ${table} set day = day - 1 where account_id = '${account.accountId}'`)
    }
    await asSuperuser(move)
    await account.send('POST', '/api/v1/workflows', { definition: documentOf(greets) })
    await logged(account, 2)
    await asSuperuser(async (run) => {
      for (const table of ['audit_days', 'audit_leaves', 'audit_checkpoints'])
        await run(`delete from ${table} where account_id = '${account.accountId}' and day < (now() at time zone 'UTC')::date`)
    })
    const { body } = await account.send('GET', `${path}/verify`)
    expect(body.days.flatMap(({ findings }: { findings: { kind: string }[] }) => findings.map(({ kind }) => kind))).toContain('day_missing')
  })
})

describe('a change', () => {
  test('is committed to by member, revealed on demand, verified offline, and erased without breaking the log', async () => {
    const account = await server.registerAccount()
    await account.client.account.update({ body: { name: 'Blue River', locale: 'ar-SA' } })
    await account.client.account.update({ body: { name: 'Green River' } })
    const events = await logged(account, 3)
    const renamed = events.filter(({ event }: { event: string }) => event === 'account.updated')
    expect(renamed[0].changes).toEqual({ name: { before: 'Blue River', after: 'Green River' } })
    expect(renamed[1].changes.locale).toEqual({ before: null, after: 'ar-SA' })
    expect(JSON.stringify(renamed.map(({ details }: { details: unknown }) => details))).not.toContain('River')
    const { date } = renamed[0].log
    const linesOf = async (reveal: string) => (await account.send('GET', `${path}/export/${date}${reveal}`)).body.lines.join('\n')
    expect(await linesOf('')).not.toContain('River')
    const revealed = await linesOf('?reveal=name')
    expect(revealed).toContain('Green River')
    expect(revealed).not.toContain('"value":"ar-SA"')
    expect((await account.send('GET', `${path}/verify/${date}`)).body.verified).toBe(true)
    const rename = (from: string, to: string) =>
      sql`update audit_changes set revealed = replace(revealed::text, ${from}, ${to})::jsonb where account_id = ${account.accountId}`.execute(
        server.database.system,
      )
    await rename('Green River', 'Red River')
    const { body } = await account.send('GET', `${path}/verify/${date}`)
    expect(body.day.findings).toMatchObject([
      { kind: 'change_differs', event: renamed[0].id, detail: expect.stringContaining('name (after)') },
    ])
    await rename('Red River', 'Green River')
    const { id } = await account.client.erasures.create({ body: { values: ['Green River'] } })
    await expect.poll(async () => (await account.client.erasures.get({ params: { id } })).state).toBe('done')
    expect((await account.send('GET', `${path}/export/${date}?reveal=*`)).body.lines.join('\n')).not.toContain('Green River')
    expect((await account.send('GET', `${path}/verify/${date}`)).body.verified).toBe(true)
  })
})
