import type { ImapFlow } from 'imapflow'
import { parseMailbox } from '#platform/mail/mailbox.ts'
import type { SmtpSettings } from '#platform/mail/smtp-mailer.ts'
import type { GuardedAddress } from '#platform/net/guarded-address.ts'
import type { SqlServer } from '#platform/sql/sql-query.ts'
import type { ConnectionSecrets, SettingsOf } from './model.ts'

/** The database server of a connection, at an address that workflows may reach. Throws NetError. */
export async function sqlServerOf(
  { host, port, database, username, tls }: SettingsOf<'database'>,
  secrets: ConnectionSecrets,
  address: GuardedAddress,
): Promise<SqlServer> {
  return { host, address: await address(host), port, database, username, password: secrets['password'], tls }
}

/** The mail server of a connection, likewise. */
export async function smtpOf(
  { host, port, encrypted, username, from }: SettingsOf<'smtp'>,
  secrets: ConnectionSecrets,
  address: GuardedAddress,
): Promise<SmtpSettings> {
  return {
    host,
    address: await address(host),
    port,
    tls: encrypted ? 'implicit' : 'optional',
    ca: undefined,
    credentials: username === undefined ? undefined : { user: username, password: secrets['password'] ?? '' },
    from: parseMailbox(from) ?? { name: undefined, address: from },
    senderDomains: [],
  }
}

const imapTimeoutMs = 15_000

/** A client, not connected yet, of the mailboxes of a connection, likewise. */
export async function imapOf(
  { host, port, encrypted, username }: SettingsOf<'imap'>,
  secrets: ConnectionSecrets,
  address: GuardedAddress,
): Promise<ImapFlow> {
  const { ImapFlow: Client } = await import('imapflow')
  const client = new Client({
    host: await address(host),
    servername: host,
    port,
    secure: encrypted,
    auth: { user: username, pass: secrets['password'] ?? '' },
    logger: false,
    connectionTimeout: imapTimeoutMs,
    greetingTimeout: imapTimeoutMs,
    socketTimeout: imapTimeoutMs,
  })
  // What fails while no command waits is found by the next one.
  client.on('error', () => undefined)
  return client
}
