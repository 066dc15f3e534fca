/** Kinds of connections that are for other protocols than HTTP. */
const otherKinds: ReadonlySet<string> = new Set(['database', 'smtp', 'imap', 's3'])
const kindsOf: Readonly<Record<string, string>> = { email: 'smtp', mysql: 'database', postgres: 'database', s3: 's3' }

/** Whether a function can use a connection of a kind: mails need a mail server, queries a database, and services of others a login or key. */
export function connectionFits(called: string, kind: string): boolean {
  const needed = kindsOf[called.split('.')[0] ?? '']
  return needed === undefined ? !otherKinds.has(kind) : needed === kind
}
