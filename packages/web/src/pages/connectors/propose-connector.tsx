import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { t } from '#src/pages/marketplace/texts.ts'

const licences = ['Apache-2.0', 'MIT', 'BSD-3-Clause', 'MPL-2.0', 'CC0-1.0'] as const

/** A manifest or an OpenAPI document, checked by the server, which names everything that is wrong at once. */
export function ProposeConnector({ done }: { readonly done: () => Promise<unknown> }) {
  const k = m.connectors
  return (
    <DataForm
      initial={{ name: '', kind: 'openapi', summary: '', licence: 'MIT', homepage: '', document: '' }}
      fields={[
        { name: 'name', label: m.workflows.name, required: true, placeholder: 'parcel-tracking', hint: k.nameHint, autoFocus: true },
        {
          name: 'kind',
          label: k.kind,
          kind: 'select',
          options: [
            ['openapi', 'OpenAPI 3'],
            ['manifest', k.manifest],
          ],
        },
        { name: 'summary', label: k.what, kind: 'textarea', rows: 2, required: true },
        { name: 'licence', label: t.licence, kind: 'select', options: licences.map((one) => [one, one]) },
        { name: 'homepage', label: k.homepage, kind: 'url' },
        { name: 'document', label: k.document, kind: 'code', rows: 12, required: true, hint: k.documentHint },
      ]}
      send={async ({ name, kind, summary, licence, homepage, document }) => {
        await api.connectorSubmissions.create({
          body: {
            name,
            kind: kind === 'manifest' ? 'manifest' : 'openapi',
            summary,
            licence: licences.find((one) => one === licence) ?? 'MIT',
            document,
            ...(homepage === '' ? {} : { homepage }),
          },
        })
        await done()
      }}
      label={k.propose}
    />
  )
}
