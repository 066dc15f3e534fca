import { httpConnectionKinds } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'
import { type Connection, needsConsent } from '#src/pages/connections/connection.ts'
import { CopyButton } from '#src/ui/id.tsx'
import { Time } from '#src/ui/time.tsx'

/** The settings of a connection as they are stored; of its secrets the names. */
export function ConnectionFacts({ connection }: { readonly connection: Connection }) {
  const k = m.connections
  const { name, settings, secretNames, expiresAt } = connection
  const { kind: _kind, ...rest } = settings
  const labels: Readonly<Record<string, string>> = k.fields
  const redirectUri = new URL('/connections/callback', location.origin).href
  const isOfHttp = httpConnectionKinds.some((kind) => kind === settings.kind)
  const inDefinitions = isOfHttp ? `{ call: http.request, with: { connection: ${name}, path: / } }` : `connection: ${name}`
  return (
    <section className="panel acard">
      <h2 className="t16 bb">{k.settings}</h2>
      <dl className="fact-list">
        <div>
          <dt>{k.inDefinitions}</dt>
          <dd className="row">
            <bdi className="mono">{inDefinitions}</bdi>
            <CopyButton text={inDefinitions} />
          </dd>
        </div>
        {Object.entries(rest).map(([key, value]) => (
          <div key={key}>
            <dt>{labels[key] ?? key}</dt>
            <dd>{wordOf(key, value) ?? <bdi className="mono">{String(value)}</bdi>}</dd>
          </div>
        ))}
        {secretNames.length > 0 && (
          <div>
            <dt>{k.secrets}</dt>
            <dd>{secretNames.map((secret) => `${labels[secret] ?? secret} •••••••`).join(', ')}</dd>
          </div>
        )}
        <div>
          <dt>{k.expires}</dt>
          <dd>{expiresAt === null ? m.common.never : <Time at={expiresAt} kind="ago" />}</dd>
        </div>
        {needsConsent(connection) && (
          <div>
            <dt>{k.redirectUri}</dt>
            <dd className="row wrap">
              <bdi className="mono">{redirectUri}</bdi>
              <CopyButton text={redirectUri} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}

/** A choice in words; undefined for a value that a person typed. */
function wordOf(key: string, value: unknown): string | undefined {
  const k = m.connections
  if (typeof value === 'boolean') return value ? m.common.yes : m.common.no
  if (Array.isArray(value)) return value.length === 0 ? m.common.none : value.join(' ')
  const choices = { in: k.places, grant: k.grants, clientAuthentication: k.proofs, tls: k.encryption }
  const found = Object.entries(choices).find(([name]) => name === key)?.[1]
  return found?.find(([option]) => option === value)?.[1]
}
