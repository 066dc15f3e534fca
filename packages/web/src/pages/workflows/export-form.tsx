import type { groups, Reply } from '@millrace/contract'
import { stringify } from 'yaml'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { saveFile } from '#src/values/save-file.ts'

interface ExportFormProps {
  readonly workflow: Pick<Reply<(typeof groups)['workflows']['get']>, 'id' | 'name'>
  /** A published version; the draft unless given. */
  readonly version?: number
  readonly done: () => void
}

/** Saves a workflow as a file that another installation imports. */
export function ExportForm({ workflow, version, done }: ExportFormProps) {
  const e = m.exporting
  const { id, name } = workflow
  return (
    <DataForm
      before={<p className="i2">{e.text}</p>}
      initial={{ syntax: 'yaml' }}
      fields={[
        {
          name: 'syntax',
          label: e.syntax,
          kind: 'select',
          options: [
            ['yaml', 'YAML'],
            ['json', 'JSON'],
          ],
        },
      ]}
      send={async ({ syntax }) => {
        const asked = syntax === 'json' ? 'json' : 'yaml'
        const file = await api.workflows.export({ params: { id }, query: { syntax: asked, ...(version === undefined ? {} : { version }) } })
        const text = asked === 'json' ? `${JSON.stringify(file, undefined, 2)}\n` : stringify(file)
        saveFile(`${name}${version === undefined ? '' : `-v${version}`}.${asked}`, text, 'application/octet-stream')
        done()
      }}
      label={e.save}
    />
  )
}
