import { httpConnectionKinds } from '@millrace/contract'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import type { FieldSpec } from '#src/forms/field.tsx'
import type { Values } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import type { Connection } from '#src/pages/connections/connection.ts'
import { isRare, secretOf, settingFields } from '#src/pages/connections/connection-fields.ts'
import { settingsOf, textOf, valuesOf } from '#src/pages/connections/connection-values.ts'
import { CopyButton } from '#src/ui/id.tsx'
import { timeOfLocal } from '#src/values/local-time.ts'

interface ConnectionFormProps {
  /** The connection to change; a new one if absent. */
  readonly connection?: Connection
  /** What is known of a new connection. */
  readonly known?: Values
  /** The name of the service, for what is said about its credentials. */
  readonly service?: string
  /** The form stays busy until it is done. */
  readonly done: (saved: Connection) => unknown
}

/** Creates or changes a connection: the fields follow its kind, those that few need are folded, and a secret is typed but never shown. */
export function ConnectionForm({ connection, known, service, done }: ConnectionFormProps) {
  const k = m.connections
  const initial = connection === undefined ? (known ?? valuesOf(undefined)) : valuesOf(connection)
  const isMoved = (values: Values) => JSON.stringify(settingsOf(values)) !== JSON.stringify(settingsOf(initial))
  const notes: Readonly<Record<string, string>> = k.notes
  const note = service === undefined ? undefined : notes[service]
  return (
    <DataForm
      initial={initial}
      fields={(values) => {
        const settings = settingFields(values).map((spec) =>
          isRare(spec, service === undefined ? {} : initial) ? { ...spec, advanced: true } : spec,
        )
        return [
          { name: 'name', label: m.workflows.name, required: true, autoFocus: true, placeholder: 'crm', hint: k.nameHint },
          ...settings,
          ...secretFields(values, connection === undefined ? 'new' : isMoved(values) ? 'moved' : 'kept', note),
          ...(service === undefined ? [] : [kindField()]),
          { name: 'expiresAt', label: k.expires, kind: 'date', hint: k.expiresHint, advanced: true },
          { name: 'description', label: k.description, advanced: true },
        ]
      }}
      below={(values) => values['kind'] === 'oauth2' && values['grant'] === 'authorization_code' && <RedirectAddress />}
      send={async (values) => {
        const changes = {
          ...(connection === undefined || isMoved(values) ? { settings: settingsOf(values), secrets: secretsOf(values) } : keptOr(values)),
          name: textOf(values, 'name'),
          description: textOf(values, 'description'),
          ...(values['expiresAt'] === initial['expiresAt'] ? {} : { expiresAt: timeOf(textOf(values, 'expiresAt')) }),
        }
        await done(
          connection === undefined
            ? await api.connections.create({ body: { settings: settingsOf(values), ...changes } })
            : await api.connections.update({ params: { id: connection.id }, body: changes }, { ifMatch: connection.revision }),
        )
      }}
      label={connection === undefined ? k.saveAndTest : m.common.save}
    />
  )
}

/** What the service has to know before a person can consent. */
function RedirectAddress() {
  const redirectUri = new URL('/connections/callback', location.origin).href
  return (
    <div className="field">
      <span className="lbl">{m.connections.redirectUri}</span>
      <span className="row">
        <bdi className="mono t13 break">{redirectUri}</bdi>
        <CopyButton text={redirectUri} />
      </span>
    </div>
  )
}

/** The way in, where the service has another one than is usual. */
function kindField(): FieldSpec {
  const k = m.connections
  return { name: 'kind', label: k.kind, kind: 'select', options: httpConnectionKinds.map((kind) => [kind, k.kinds[kind]]), advanced: true }
}

/** The field of the secret; `moved`: the settings are others, so that the stored secret must be entered again. */
function secretFields(values: Values, state: 'new' | 'moved' | 'kept', note: string | undefined): readonly FieldSpec[] {
  const k = m.connections
  const secret = secretOf(values)
  if (secret === undefined) return []
  const hints = { new: k.newSecret, moved: k.secretAgain, kept: k.keepSecret }
  return [
    {
      name: secret.name,
      label: k.fields[secret.name],
      kind: secret.name === 'identity' ? 'textarea' : 'new-password',
      required: secret.required && state !== 'kept',
      hint: note === undefined ? hints[state] : `${note} ${hints[state]}`,
    },
  ]
}

/** The secret as it was typed: blanks may belong to it. */
function secretsOf(values: Values): Record<string, string> {
  const secret = secretOf(values)
  const value = secret === undefined ? '' : values[secret.name]
  return secret === undefined || typeof value !== 'string' || value === '' ? {} : { [secret.name]: value }
}

/** A new secret if one was typed; otherwise the stored one stays. */
function keptOr(values: Values): { readonly secrets?: Record<string, string> } {
  const secrets = secretsOf(values)
  return Object.keys(secrets).length === 0 ? {} : { secrets }
}

function timeOf(local: string): string | null {
  return local === '' ? null : timeOfLocal(local)
}
