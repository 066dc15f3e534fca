import { describe, expect, test } from 'vitest'
import { createCertificate } from '#testing/net/certificate.ts'
import { ConfigError } from './config-error.ts'
import { readConfig } from './read-config.ts'
import type { Environment } from './reader.ts'

const one = createCertificate('mail.example.com', new Date('2100-01-01'))
const two = createCertificate('mail2.example.com', new Date('2100-01-01'))
const files: Readonly<Record<string, string>> = {
  '/run/smtp': 'smtps://mill:hunter2@mail.example.com\n',
  '/run/ca.pem': `# ours\n${one.cert}${one.key}${two.cert}`,
  '/run/key.pem': one.key,
  '/run/broken.pem': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
}
const system = { workingDirectory: '/srv', readTextFile: (path: string) => files[path] ?? '' }
const from = { MILLRACE_MAIL_FROM: 'flows@example.com' }
const mailOf = (env: Environment) => readConfig(env, system).mail

function faultsOf(env: Environment): readonly string[] {
  try {
    mailOf(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ name, message }) => `${name}: ${message}`)
    throw error
  }
}

test.each([
  ['smtp://mail.example.com', 'mail.example.com', 587, 'required'],
  ['smtp://mail.example.com:25/', 'mail.example.com', 25, 'required'],
  ['smtps://mail.example.com', 'mail.example.com', 465, 'implicit'],
  ['smtp://127.0.0.1:2525', '127.0.0.1', 2525, 'required'],
  ['smtp://[::1]:2525', '::1', 2525, 'required'],
])('%s is a mail server, encrypted by default', (url, host, port, tls) => {
  expect(mailOf({ ...from, MILLRACE_SMTP_URL: url })).toMatchObject({ host, port, tls, credentials: undefined, ca: undefined })
})

test('user and password may contain any character, percent-encoded', () => {
  const credentials = mailOf({ ...from, MILLRACE_SMTP_URL: 'smtp://ada%40example.com:p%3A%2F%25@h' })?.credentials
  expect([credentials?.user, credentials?.password.reveal()]).toEqual(['ada@example.com', 'p:/%'])
})

test('the address with its password may lie in a file', () => {
  const mail = mailOf({ ...from, MILLRACE_SMTP_URL_FILE: '/run/smtp' })
  expect([mail?.host, mail?.tls, mail?.credentials?.password.reveal()]).toEqual(['mail.example.com', 'implicit', 'hunter2'])
})

test.each(['required', 'optional', 'off'] as const)('encryption by STARTTLS may be %s', (tls) => {
  expect(mailOf({ ...from, MILLRACE_SMTP_URL: 'smtp://h', MILLRACE_SMTP_TLS: tls })?.tls).toBe(tls)
})

test('only the certificates of a file are read, and not a private key beside them', () => {
  const ca = mailOf({ ...from, MILLRACE_SMTP_URL: 'smtp://h', MILLRACE_SMTP_CA_FILE: '/run/ca.pem' })?.ca
  expect(ca).toContain(one.cert.trim())
  expect(ca).toContain(two.cert.trim())
  expect(ca).not.toContain('PRIVATE KEY')
})

test('without a server there is no mail, whatever else is set', () => {
  expect(mailOf({ ...from, MILLRACE_SMTP_TLS: 'off' })).toBeUndefined()
})

describe('refused is', () => {
  const url = { MILLRACE_SMTP_URL: 'smtp://h' }
  const cases: readonly [string, Environment][] = [
    ['MILLRACE_SMTP_URL', { ...from, MILLRACE_SMTP_URL: 'mail.example.com:587' }],
    ['MILLRACE_SMTP_URL', { ...from, MILLRACE_SMTP_URL: 'https://mail.example.com' }],
    ['MILLRACE_SMTP_URL', { ...from, MILLRACE_SMTP_URL: 'smtp://' }],
    ['MILLRACE_SMTP_URL', { ...from, MILLRACE_SMTP_URL: 'smtp://a b' }],
    ['MILLRACE_SMTP_URL', { ...from, MILLRACE_SMTP_URL: 'smtp://mill@h' }],
    ['MILLRACE_SMTP_URL', { ...from, MILLRACE_SMTP_URL: 'smtp://mill:100%@h' }],
    ['MILLRACE_SMTP_URL', { ...from, MILLRACE_SMTP_URL: 'smtp://h?tls=no' }],
    ['MILLRACE_SMTP_URL', { ...from, MILLRACE_SMTP_URL: 'smtp://h/inbox' }],
    ['MILLRACE_SMTP_URL_FILE', { ...from, ...url, MILLRACE_SMTP_URL_FILE: '/run/smtp' }],
    ['MILLRACE_SMTP_TLS', { ...from, ...url, MILLRACE_SMTP_TLS: 'yes' }],
    ['MILLRACE_SMTP_TLS', { ...from, MILLRACE_SMTP_URL: 'smtps://h', MILLRACE_SMTP_TLS: 'off' }],
    ['MILLRACE_SMTP_CA_FILE', { ...from, ...url, MILLRACE_SMTP_CA_FILE: '/run/missing' }],
    ['MILLRACE_SMTP_CA_FILE', { ...from, ...url, MILLRACE_SMTP_CA_FILE: '/run/key.pem' }],
    ['MILLRACE_SMTP_CA_FILE', { ...from, ...url, MILLRACE_SMTP_CA_FILE: '/run/broken.pem' }],
    ['MILLRACE_MAIL_FROM', url],
    ['MILLRACE_MAIL_FROM', { ...url, MILLRACE_MAIL_FROM: 'Millrace' }],
    ['MILLRACE_MAIL_FROM', { ...url, MILLRACE_MAIL_FROM: 'a@b.example, c@d.example' }],
    ['MILLRACE_MAIL_SENDER_DOMAINS', { ...from, ...url, MILLRACE_MAIL_SENDER_DOMAINS: 'a@b.example' }],
    ['MILLRACE_MAIL_SENDER_DOMAINS', { ...from, ...url, MILLRACE_MAIL_SENDER_DOMAINS: '*.example.com' }],
  ]
  test.each(cases)('%s in %j', (name, env) => {
    const faults = faultsOf(env)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(new RegExp(`^${name}: .*\\.$`))
  })

  test('a wrong address, without a word of it', () => {
    expect(faultsOf({ ...from, MILLRACE_SMTP_URL: 'http://mill:hunter2@h' }).join()).not.toContain('hunter2')
  })
})
