import { grantableScopes, type Scope, scopeCatalogue, workflowKeyScopes } from '@millrace/contract'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import type { FieldSpec } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'
import { exactTime } from '#src/values/format.ts'
import { timeOfLocal } from '#src/values/local-time.ts'

type Lifetime = '30' | '90' | '365' | 'never' | 'own'

interface KeyValues extends Readonly<Record<string, unknown>> {
  readonly name: string
  readonly reach: 'all' | 'some'
  readonly workflowIds: readonly string[]
  readonly scopes: readonly Scope[]
  readonly lifetime: Lifetime
  readonly expiresAt: string
}

const initial: KeyValues = {
  name: '',
  reach: 'all',
  workflowIds: [],
  scopes: ['workflows:read', 'executions:read', 'executions:run'],
  lifetime: '90',
  expiresAt: '',
}

const dayMs = 86_400_000

/** Issues an API key; `done` receives its secret. */
export function KeyForm({ done }: { readonly done: (secret: string) => Promise<unknown> }) {
  return (
    <DataForm
      initial={initial}
      fields={fieldsOf}
      derive={(values) => ({ ...values, scopes: values.scopes.filter((scope) => scopesFor(values).includes(scope)) })}
      send={async (values) => {
        const { name, scopes, reach, workflowIds } = values
        const expiresAt = endOf(values)
        const body = {
          name,
          scopes: [...scopes],
          ...(reach === 'all' ? {} : { workflowIds: [...workflowIds] }),
          ...(expiresAt === undefined ? {} : { expiresAt }),
        }
        await done((await api.apiKeys.create({ body })).secret)
      }}
      label={m.apiKeys.create}
    />
  )
}

function fieldsOf(values: KeyValues): readonly FieldSpec[] {
  const k = m.apiKeys
  const { reach, lifetime } = values
  const reaches = (['all', 'some'] as const).map((key) => [key, k.reaches[key]] as const)
  const lifetimes = (['30', '90', '365', 'never', 'own'] as const).map((key) => [key, k.lifetimes[key]] as const)
  const end = lifetime === 'own' ? undefined : endOf(values)
  return [
    { name: 'name', label: k.name, required: true, autoFocus: true, hint: k.nameHint },
    { name: 'reach', label: k.reach, kind: 'select', options: reaches },
    ...(reach === 'all'
      ? []
      : [{ name: 'workflowIds', label: k.workflows, kind: 'workflows', required: true, hint: k.workflowsHint } as const]),
    { name: 'scopes', label: k.scopes, kind: 'checks', options: scopesFor(values).map((scope) => [scope, scope, scopeText(scope)]) },
    {
      name: 'lifetime',
      label: k.expires,
      kind: 'select',
      options: lifetimes,
      hint: lifetime === 'never' ? k.neverHint : end === undefined ? undefined : k.endsAt(exactTime(end)),
    },
    ...(lifetime === 'own' ? [{ name: 'expiresAt', label: k.expiresAt, kind: 'date', required: true } as const] : []),
  ]
}

function scopesFor({ reach }: KeyValues): readonly Scope[] {
  return reach === 'all' ? grantableScopes : workflowKeyScopes
}

function endOf({ lifetime, expiresAt }: KeyValues): string | undefined {
  if (lifetime === 'never') return undefined
  return lifetime === 'own' ? timeOfLocal(expiresAt) : new Date(Date.now() + Number(lifetime) * dayMs).toISOString()
}

/** One line about what a scope permits. The contract has the English ones. */
export function scopeText(scope: Scope): string {
  return m.apiKeys.scopeTexts[scope] ?? scopeCatalogue[scope].description
}
