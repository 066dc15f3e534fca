import { describe, expect, test } from 'vitest'
import { createGuardedAddress } from '#platform/net/guarded-address.ts'
import { createCertificate } from '#testing/net/certificate.ts'
import { startSyslogReceiver } from '#testing/syslog-receiver.ts'
import { sendSyslog, syslogFrame } from './syslog.ts'
import { batchOf, delayAfter } from './streamer.ts'

const address = createGuardedAddress({ allow: ['127.0.0.0/8'] })
const message = { at: '2026-11-23T18:00:00.000001Z', event: 'workflow.created', text: '{"details":{"note":"Grüße 🌍"}}' }
const never = new AbortController().signal

describe('a message', () => {
  test('has the form of RFC 5424 in ASCII, and its JSON is the same', async () => {
    await using receiver = await startSyslogReceiver()
    const frames = [syslogFrame('flows.example.com', message), syslogFrame('flows.example.com', { ...message, event: 'x'.repeat(40) })]
    await sendSyslog(address, { kind: 'syslog', host: '127.0.0.1', port: receiver.port, tls: false }, frames, never)
    await expect.poll(() => receiver.messages.length).toBe(2)
    const [first, second] = receiver.messages
    expect(first).toMatchObject({
      priority: 109,
      version: '1',
      at: message.at,
      host: 'flows.example.com',
      app: 'millrace',
      event: 'workflow.created',
      data: '[origin software="Millrace"]',
    })
    expect(first?.text).toMatch(/^[ -~]+$/)
    expect(JSON.parse(first?.text ?? '')).toEqual(JSON.parse(message.text))
    expect(second?.event).toBe('x'.repeat(32))
  })

  test('is sent over TLS to a server whose certificate names the host, and to no other', async () => {
    const certificate = createCertificate('localhost', new Date('2099-01-01T00:00:00Z'))
    const other = createCertificate('localhost', new Date('2099-01-01T00:00:00Z'))
    await using receiver = await startSyslogReceiver({ certificate })
    const target = { kind: 'syslog', host: 'localhost', port: receiver.port, tls: true } as const
    await sendSyslog(address, { ...target, ca: certificate.cert }, [syslogFrame('h', message)], never)
    await expect.poll(() => receiver.messages.length).toBe(1)
    for (const wrong of [target, { ...target, ca: other.cert }, { ...target, host: '127.0.0.1', ca: certificate.cert }])
      await expect(sendSyslog(address, wrong, [syslogFrame('h', message)], never)).rejects.toMatchObject({
        name: 'NetError',
        reason: 'tls',
      })
    expect(receiver.messages).toHaveLength(1)
  })

  test('is not sent to an address that the operator has not allowed', async () => {
    await using receiver = await startSyslogReceiver()
    const guarded = createGuardedAddress({ allow: [] })
    const target = { kind: 'syslog', host: '127.0.0.1', port: receiver.port, tls: false } as const
    await expect(sendSyslog(guarded, target, [syslogFrame('h', message)], never)).rejects.toMatchObject({ reason: 'denied' })
    await expect(sendSyslog(guarded, { ...target, host: 'localhost' }, [], never)).rejects.toMatchObject({ reason: 'dns' })
  })

  test('is a failure when the receiver resets the connection', async () => {
    await using receiver = await startSyslogReceiver({ refuses: () => true })
    const target = { kind: 'syslog', host: '127.0.0.1', port: receiver.port, tls: false } as const
    await expect(sendSyslog(address, target, [syslogFrame('h', message)], never)).rejects.toMatchObject({ name: 'NetError' })
  })
})

describe('a batch', () => {
  const accountId = '01938c2f-0000-7000-8000-000000000000'
  const leaf = (index: number, note = '') => ({
    id: '01938c2f-0000-7000-8000-000000000001',
    account_id: accountId,
    at: message.at,
    actor: 'system:engine',
    event: 'workflow.created',
    target: null,
    request_id: null,
    ip: null,
    details: { note },
    salt: Buffer.alloc(32),
    commitment: null,
    day: '2026-11-23',
    index,
    hash: Buffer.alloc(32, index),
  })

  test('has the events up to the most characters, at least one, and the position after them', () => {
    const from = { day: '2026-11-23', index: 1 }
    const large = 'x'.repeat(60_000)
    expect(batchOf(accountId, [leaf(1, large), leaf(2, large)], from)).toMatchObject({ lines: [{}], next: { index: 2 } })
    expect(batchOf(accountId, [leaf(1, large.repeat(3)), leaf(2)], from)).toMatchObject({ lines: [{}], next: { index: 2 } })
    expect(batchOf(accountId, [leaf(1), leaf(2)], from)).toMatchObject({ lines: [{}, {}], next: { index: 3 } })
    expect(batchOf(accountId, [], from)).toEqual({ lines: [], next: from })
  })

  test('has no line for the first leaf of a day, and the position passes it', () => {
    const first = { ...leaf(0), id: null }
    expect(batchOf(accountId, [first], { day: '2026-11-23', index: 0 })).toEqual({ lines: [], next: { day: '2026-11-23', index: 1 } })
  })

  test('is repeated after growing pauses that have a limit', () => {
    expect([0, 1, 2, 10, 1_000].map((attempts) => delayAfter(attempts, 0.5))).toEqual([5_000, 10_000, 20_000, 900_000, 900_000])
    expect([delayAfter(0, 0), delayAfter(0, 1)]).toEqual([4_000, 6_000])
  })
})
