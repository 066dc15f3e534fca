import { createSmtpMailer, type SmtpLimits, type SmtpSettings } from './smtp-mailer.ts'
import type { Mailer, MailMessage } from './mailer.ts'

export const testLimits: SmtpLimits = { connections: 2, connectMs: 2_000, silenceMs: 2_000, totalMs: 5_000 }

/** A mailer to a server on this machine, without TLS unless asked for. */
export function testMailer(port: number, settings: Partial<SmtpSettings> = {}, limits: Partial<SmtpLimits> = {}): Mailer {
  return createSmtpMailer(
    {
      host: 'localhost',
      port,
      tls: 'off',
      ca: undefined,
      credentials: undefined,
      from: { name: 'Millrace', address: 'flows@example.com' },
      senderDomains: [],
      ...settings,
    },
    { now: () => Date.UTC(2026, 0, 2, 3, 4, 5), limits: { ...testLimits, ...limits } },
  )
}

export const box = (address: string, name?: string) => ({ name, address })

export function messageTo(address: string, more: Partial<MailMessage> = {}): MailMessage {
  return { key: 'execution-1', accountId: 'account-1', to: [box(address)], subject: 'Hello', text: 'How are you?', ...more }
}

export const never = new AbortController().signal
