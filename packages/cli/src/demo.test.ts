import { spawn } from 'node:child_process'
import { text as readAll } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readLedger, repetitions } from '#demo/ledger.ts'
import { startShop } from '#demo/shop.ts'

const main = fileURLToPath(new URL('../demo/main.ts', import.meta.url))

test('the demo shows a workflow that survives a SIGKILL, ends with 0, and fits 80 columns', async () => {
  const child = spawn(process.execPath, [main], { env: { PATH: process.env.PATH ?? '' }, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([readAll(child.stdout), readAll(child.stderr)])
  expect(stderr).toBe('')
  expect(await ended).toBe(0)
  expect(stdout).toMatch(/✗ SIGKILL: the server \(process \d+\) is dead\n ✓ back again/)
  expect(stdout).toMatch(/✗ charge .*503/)
  expect(stdout).toMatch(/✓ charge attempt 3/)
  expect(stdout).toMatch(/✓ payments +3 +1 /)
  expect(stdout).toContain('completed, with every effect done exactly once')
  for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
})

describe('the ledger', () => {
  const call = (effect: string, status = 201, idempotencyKey = effect) => ({ effect, status, idempotencyKey })
  const whole = [
    call('orders/1001', 200),
    call('reservations tea'),
    call('reservations cup'),
    call('reservations kettle'),
    call('payments', 503, 'p1'),
    call('payments', 503, 'p2'),
    call('payments', 201, 'p3'),
    call('parcels'),
    call('invoices'),
    call('mails'),
  ]
  const wrong = (calls: typeof whole) => readLedger(calls).filter(({ right }) => !right)

  test('the ledger is right when every effect happened once and the payment failed as planned', () => {
    expect(wrong(whole)).toEqual([])
    expect(repetitions(whole)).toBe(0)
  })

  test.each([
    ['an effect that is missing', whole.slice(0, -1), 'mails'],
    ['an effect that was done twice', [...whole, call('parcels', 201, 'again')], 'parcels'],
    ['an effect that was tried once more than its failures explain', [...whole, call('invoices', 500, 'again')], 'invoices'],
    ['an effect that no execution requested', [...whole, call('refunds')], 'refunds'],
  ])('the ledger is wrong for %s', (_, calls, effect) => {
    expect(wrong(calls).map((row) => row.effect)).toEqual([effect])
  })

  test('the ledger counts a request that was repeated with its key', () => {
    expect(repetitions([...whole, call('mails')])).toBe(1)
  })
})

test('the shop counts its requests and fails two payments', async () => {
  await using shop = await startShop()
  const post = (path: string, body: unknown) => fetch(`${shop.url}/${path}`, { method: 'POST', body: JSON.stringify(body) })
  const order: unknown = await (await fetch(`${shop.url}/orders/1001`)).json()
  expect(order).toMatchObject({ id: 1001, express: true })
  const statuses = [await post('payments', {}), await post('payments', {}), await post('payments', {})].map(({ status }) => status)
  expect(statuses).toEqual([503, 503, 201])
  expect((await post('unknown', {})).status).toBe(404)
  await post('reservations', { sku: 'tea' })
  expect(shop.calls.map(({ effect }) => effect)).toEqual(['orders/1001', 'payments', 'payments', 'payments', 'unknown', 'reservations tea'])
})
