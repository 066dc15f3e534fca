import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import type { FieldSpec } from '#src/forms/field.tsx'
import type { Values } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { type Connection, connectionKinds } from '#src/pages/connections/connection.ts'
import { secretOf, settingFields } from '#src/pages/connections/connection-fields.ts'
import { settingsOf, textOf, valuesOf } from '#src/pages/connections/connection-values.ts'

interface ConnectionFormProps {
  /** The connection to change; a new one if absent. */
  readonly connection?: Connection
  readonly done: (saved: Connection) => void
}

/** Creates or changes a connection: the fields follow its kind, and a secret is typed but never shown. */
export function ConnectionForm({ connection, done }: ConnectionFormProps) {
  const k = m.connections
  const initial = valuesOf(connection)
  const isMoved = (values: Values) => JSON.stringify(settingsOf(values)) !== JSON.stringify(settingsOf(initial))
  return (
    <DataForm
      initial={initial}
      fields={(values) => [
        { name: 'name', label: m.workflows.name, required: true, autoFocus: true, placeholder: 'crm', hint: k.nameHint },
        ...(connection === undefined ? [kindField()] : []),
        ...settingFields(values),
        ...secretFields(values, connection === undefined ? 'new' : isMoved(values) ? 'moved' : 'kept'),
        { name: 'expiresAt', label: k.expires, kind: 'date', hint: k.expiresHint },
        { name: 'description', label: k.description },
      ]}
      send={async (values) => {
        const changes = {
          ...(connection === undefined || isMoved(values) ? { settings: settingsOf(values), secrets: secretsOf(values) } : keptOr(values)),
          name: textOf(values, 'name'),
          description: textOf(values, 'description'),
          ...(values['expiresAt'] === initial['expiresAt'] ? {} : { expiresAt: timeOf(textOf(values, 'expiresAt')) }),
        }
        done(
          connection === undefined
            ? await api.connections.create({ body: { settings: settingsOf(values), ...changes } })
            : await api.connections.update({ params: { id: connection.id }, body: changes }, { ifMatch: connection.revision }),
        )
      }}
      label={m.common.save}
    />
  )
}

function kindField(): FieldSpec {
  const k = m.connections
  return { name: 'kind', label: k.kind, kind: 'select', options: connectionKinds.map((kind) => [kind, k.kinds[kind]]) }
}

/** The field of the secret; `moved`: the settings are others, so that the stored secret must be entered again. */
function secretFields(values: Values, state: 'new' | 'moved' | 'kept'): readonly FieldSpec[] {
  const k = m.connections
  const secret = secretOf(values)
  if (secret === undefined) return []
  const hints = { new: k.newSecret, moved: k.secretAgain, kept: k.keepSecret }
  return [
    {
      name: secret.name,
      label: k.fields[secret.name],
      kind: 'new-password',
      required: secret.required && state !== 'kept',
      hint: hints[state],
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
  return local === '' ? null : new Date(local).toISOString()
}
