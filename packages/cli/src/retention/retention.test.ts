import { describe, expect, test } from 'vitest'
import { toTypeId } from '@millrace/server'
import { runCli } from '#testing/cli.ts'
import { createPostgres } from '#testing/postgres.ts'
import { runHere } from '#testing/run-here.ts'

const id = '01930000-0000-7000-8000-000000000001'
const account = toTypeId('acct', id)

async function scene() {
  const database = await createPostgres('migrated')
  await database.query(`insert into accounts (id, name) values ('${id}', 'Ada & Co')`)
  const env = { DATABASE_URL: database.url }
  return {
    run: (...args: readonly string[]) => runHere(['retention', ...args], { env }),
    runProcess: (...args: readonly string[]) => runCli(['retention', ...args], { env }),
    rows: () => database.query('select milliseconds::text as ms from account_retention'),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

describe('millrace retention', () => {
  test('the retention of an account can be set, changed and reset', async () => {
    await using at = await scene()
    expect(await at.runProcess(account, 'P90D')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(new RegExp(`^${account}  P90D +Ada & Co$`, 'm')),
    })
    expect(await at.rows()).toEqual([{ ms: '7776000000' }])
    expect((await at.run(account, 'forever')).stdout).toContain('forever')
    expect(await at.rows()).toEqual([{ ms: null }])
    expect((await at.run(account, 'default')).exitCode).toBe(0)
    expect(await at.rows()).toEqual([])
  })

  test('all accounts and the retention of the installation are listed', async () => {
    await using at = await scene()
    const { stdout } = await at.run()
    expect(stdout).toContain(`${account}  default   Ada & Co\n`)
    expect(stdout).toContain('"default" is P30D, as MILLRACE_RETENTION says.')
    expect(JSON.parse((await at.run('--json')).stdout)).toEqual([{ account, name: 'Ada & Co', retention: 'default' }])
  })

  test.each([
    [['unknown', 'P1D'], 2, 'is not the id of an account'],
    [[account, 'PT1H'], 2, 'is no time from a day to a hundred years'],
    [[account, 'soon'], 2, 'is no time from a day to a hundred years'],
    [[account], 2, 'The retention is missing'],
    [[toTypeId('acct', '01930000-0000-7000-8000-000000000002'), 'P9D'], 1, 'There is no such account'],
  ])('%j is refused and changes nothing', async (args, exitCode, message) => {
    await using at = await scene()
    const end = await at.run(...args)
    expect([end.exitCode, end.stderr]).toEqual([exitCode, expect.stringContaining(message)])
    expect(await at.rows()).toEqual([])
  })
})
