import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import type { FieldSpec } from '#src/forms/field.tsx'
import type { Values } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { type AccountModel, modelKinds, modelOf, modelRoles, valuesOf } from '#src/pages/models/account-model.ts'

interface ModelFormProps {
  /** The model to change; a new one if absent. */
  readonly model?: AccountModel
  readonly done: (saved: AccountModel) => Promise<unknown>
}

/** Adds or changes a model of the account. Its key is typed and never shown. */
export function ModelForm({ model, done }: ModelFormProps) {
  const k = m.ownModels
  return (
    <DataForm
      initial={valuesOf(model)}
      fields={(values) => fieldsOf(values, model)}
      send={async (values) => {
        const body = modelOf(values)
        await done(
          model === undefined
            ? await api.models.create({ body })
            : await api.models.update({ params: { id: model.id }, body }, { ifMatch: model.revision }),
        )
      }}
      label={model === undefined ? k.add : m.common.save}
    />
  )
}

function fieldsOf(values: Values, model: AccountModel | undefined): readonly FieldSpec[] {
  const k = m.ownModels
  const isMoved = model !== undefined && (values['url'] !== model.url || values['kind'] !== model.kind)
  const keyHint = model?.hasKey !== true ? m.connections.newSecret : isMoved ? m.connections.secretAgain : m.connections.keepSecret
  return [
    { name: 'name', label: k.name, required: true, autoFocus: true, placeholder: 'main', hint: k.nameHint },
    { name: 'kind', label: k.kind, kind: 'select', options: modelKinds.map((kind) => [kind, k.kinds[kind]]) },
    { name: 'url', label: k.url, kind: 'url', required: true, placeholder: 'https://api.example.com/v1', hint: k.urlHint },
    { name: 'model', label: k.model, required: true, hint: k.modelHint },
    { name: 'key', label: k.key, kind: 'new-password', required: model?.hasKey === true && isMoved, hint: keyHint },
    { name: 'roles', label: k.roles, kind: 'checks', options: modelRoles.map((role) => [role, k.roleNames[role]]) },
    { name: 'inputPrice', label: k.inputPrice, kind: 'number' },
    { name: 'outputPrice', label: k.outputPrice, kind: 'number', hint: k.priceHint },
    { name: 'region', label: k.region, placeholder: 'EU', hint: k.regionHint },
  ]
}
