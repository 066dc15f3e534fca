import { useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { toast } from '#src/ui/toast.tsx'

const kinds = ['openapi', 'manifest', 'mcp'] as const

/** A connector of the account alone: from a document, its address, or an MCP server. */
export function AddConnector({ done }: { readonly done: () => void }) {
  const { reach: r, connectors: k } = m
  const queries = useQueryClient()
  return (
    <DataForm
      initial={{ name: '', kind: 'openapi', url: '', document: '', connection: '' }}
      fields={({ kind }) => [
        { name: 'name', label: m.workflows.name, required: true, placeholder: 'parcel-tracking', hint: k.nameHint, autoFocus: true },
        { name: 'kind', label: r.connectorFrom, kind: 'select', options: kinds.map((one) => [one, r.connectorKinds[one]] as const) },
        { name: 'url', label: r.address, kind: 'url', required: kind === 'mcp', hint: r.addressHint },
        ...(kind === 'mcp'
          ? [{ name: 'connection', label: r.connection, hint: r.connectionHint } as const]
          : [{ name: 'document', label: r.orDocument, kind: 'code', rows: 10, hint: k.documentHint } as const]),
      ]}
      send={async ({ name, kind, url, document, connection }) => {
        const chosen = kinds.find((one) => one === kind) ?? 'openapi'
        await api.connectors.create({
          body: { name, kind: chosen, ...sourceOf({ url, document: chosen === 'mcp' ? '' : document, connection }) },
        })
        await queries.invalidateQueries({ queryKey: ['connectors'] })
        toast(r.added(name))
        done()
      }}
      label={r.addConnector}
    />
  )
}

function sourceOf(values: { readonly url: string; readonly document: string; readonly connection: string }) {
  const { url, document, connection } = values
  return {
    ...(url.trim() === '' || document.trim() !== '' ? {} : { url: url.trim() }),
    ...(document.trim() === '' ? {} : { document }),
    ...(connection.trim() === '' ? {} : { connection: connection.trim() }),
  }
}
