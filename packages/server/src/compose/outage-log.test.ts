import { expect, test } from 'vitest'
import { createLogger } from './logger.ts'
import { createOutageLog } from './outage-log.ts'

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })

function setUp() {
  const lines: { readonly level: number; readonly msg: string; readonly [name: string]: unknown }[] = []
  const database = { isAway: true, pings: 0 }
  const target = createLogger('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const outages = createOutageLog(target, () => database.pings * 1000)
  outages.watch(async () => {
    database.pings += 1
    if (database.isAway) throw refused()
  })
  return { lines, database, outages, messages: () => lines.map(({ msg }) => msg) }
}

test('an outage of the database is one line at its beginning and one at its end', async () => {
  const { database, outages, lines, messages } = setUp()
  for (let i = 0; i < 50; i++) outages.logger.warn({ err: refused() }, 'job queue error')
  await expect.poll(messages).toEqual(['database unavailable'])
  for (let i = 0; i < 50; i++) outages.logger.error({ err: refused() }, 'request failed')
  outages.logger.error({ err: new Error('a mistake') }, 'request failed')
  expect(messages()).toEqual(['database unavailable', 'request failed'])
  database.isAway = false
  await expect.poll(messages).toEqual(['database unavailable', 'request failed', 'database available again'])
  expect(lines[2]).toMatchObject({ suppressed: 100, seconds: expect.any(Number) })
  outages.stop()
})

test('an error of another unreachable server is logged while the database answers', async () => {
  const { database, outages, messages } = setUp()
  database.isAway = false
  outages.logger.warn({ err: refused() }, 'mail not sent')
  await expect.poll(messages).toEqual(['mail not sent'])
  outages.stop()
})
