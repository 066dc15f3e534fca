import { expect, test } from 'vitest'
import { createLogger } from './logger.ts'

function lines(level: 'info' | 'debug' | 'silent' = 'info') {
  const written: string[] = []
  return { written, logger: createLogger(level, { write: (line) => void written.push(line) }) }
}

test('fields that are named like a secret are masked at every depth', () => {
  const { written, logger } = lines()
  logger.info({ password: 'p1', user: { token: 'p2' }, req: { headers: { authorization: 'p3' } }, a: { b: { c: { secret: 'p4' } } } }, 'x')
  expect(written.join()).not.toMatch(/p[1-4]/)
  expect(written.join()).toContain('[secret]')
})

test.each([
  'postgres://millrace:hunter2@localhost:5432/millrace',
  'https://user:hunter2@example.com/path',
  'Bearer hunter2hunter2',
  'sent Basic aHVudGVyMjpodW50ZXIy',
  'mlr_hunter2hunter2hunter2hunter2',
  'mrt_hunter2hunter2hunter2hunter2',
  'mlr-operator-hunter2hunter2hunter2',
  'eyJhbGciOi.eyJzdWIiOiI.aHVudGVyMg',
])('a secret inside of a text is masked: %s', (text) => {
  const { written, logger } = lines()
  logger.warn({ err: new Error(`cannot reach ${text}`), note: `tried ${text} in vain` }, `failed with ${text}`)
  expect(written.join()).not.toMatch(/hunter2|aHVudGVyMj|eyJzdWIi/)
  expect(written.join()).toContain('in vain')
})

test('an error is logged with its stack and its cause', () => {
  const { written, logger } = lines()
  logger.error({ err: new Error('outer', { cause: new Error('inner') }) }, 'failed')
  const entry = JSON.parse(written[0] ?? '')
  expect(entry).toMatchObject({ msg: 'failed', err: { message: 'outer', cause: { message: 'inner' } } })
  expect(entry.err.stack).toContain('logger.test.ts')
})

test('an error of a connection is logged without the connection and its key', () => {
  const { written, logger } = lines()
  const error = Object.assign(new Error('cut'), { code: '57P01', client: { secretKey: 4711, password: 'p' } })
  logger.warn({ err: error }, 'broke')
  expect(JSON.parse(written[0] ?? '')).toMatchObject({ err: { message: 'cut', code: '57P01' } })
  expect(written.join()).not.toContain('4711')
})

test('lines below the level are not written', () => {
  const { written, logger } = lines('silent')
  logger.fatal('x')
  expect(written).toEqual([])
})
