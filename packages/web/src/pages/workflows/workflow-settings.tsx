import type { groups, Reply } from '@millrace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { forgetUnsaved, Unsaved, withUnsaved } from '#src/forms/unsaved.tsx'
import { m } from '#src/messages/messages.ts'
import { Callers } from '#src/pages/workflows/callers.tsx'
import { ExportForm } from '#src/pages/workflows/export-form.tsx'
import { changedSettings, settingsOf } from '#src/pages/workflows/settings-values.ts'
import { SameName } from '#src/patterns/same-name.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMay } from '#src/session/use-may.ts'
import { useSession } from '#src/session/session.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { toast } from '#src/ui/toast.tsx'

type Workflow = Reply<(typeof groups)['workflows']['get']>

/** Name, tags, and whether it can be started; a person who may not change the workflow can save it as a file. */
export function WorkflowSettings({ workflow }: { readonly workflow: Workflow }) {
  const role = useSession(({ me }) => (me === undefined ? '' : m.team.roles[me.role]))
  return useMay('workflows:write') ? (
    <SettingsForm workflow={workflow} />
  ) : (
    <div className="page narrow form">
      <p className="i2">{m.editor.readOnly(role)}</p>
      <div className="row">
        <ExportButton workflow={workflow} />
      </div>
    </div>
  )
}

function ExportButton({ workflow }: { readonly workflow: Workflow }) {
  const { open, sheet } = useSheet()
  return (
    <>
      <Button icon="download" onClick={() => open(m.exporting.open, (close) => <ExportForm workflow={workflow} done={close} />)}>
        {m.exporting.open}
      </Button>
      {sheet}
    </>
  )
}

function SettingsForm({ workflow }: { readonly workflow: Workflow }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState(false)
  const { id, version } = workflow
  const [round, setRound] = useState(0)
  const [savedAt, setSavedAt] = useState(0)
  // The form begins anew when the page has what was saved, and not before.
  const shownAt = useRef(0)
  if (workflow.revision >= savedAt) shownAt.current = savedAt
  const kept = `settings.${id}`
  const beginAnew = () => {
    forgetUnsaved(kept)
    setRound((before) => before + 1)
  }
  // What the form began with, however often the page reads the workflow.
  const form = `${round} ${shownAt.current}`
  const begun = useRef({ form, saved: settingsOf(workflow) })
  if (begun.current.form !== form) begun.current = { form, saved: settingsOf(workflow) }
  const { saved } = begun.current
  return (
    <div className="page narrow">
      <DataForm
        key={form}
        initial={withUnsaved(kept, saved)}
        below={(values) => (
          <>
            <SameName name={values.name} except={id} />
            <Unsaved name={kept} saved={saved} values={values} onDiscard={beginAnew} />
          </>
        )}
        fields={[
          { name: 'name', label: m.workflows.name, required: true },
          { name: 'description', label: m.editor.description, kind: 'textarea', rows: 3 },
          { name: 'tags', label: m.editor.tags, hint: m.editor.tagsHint },
          { name: 'minutes', label: m.editor.minutes, kind: 'number', hint: m.editor.minutesHint },
          ...(version === null
            ? []
            : [
                {
                  name: 'enabled',
                  label: m.editor.enabled,
                  kind: 'switch',
                  hint: workflow.publishing?.allowed === false ? m.editor.enabledByAdmins : m.editor.enabledHint,
                } as const,
              ]),
        ]}
        send={async (values) => {
          const { revision } = await api.workflows.update({ params: { id }, body: changedSettings(saved, values) })
          forgetUnsaved(kept)
          setSavedAt(revision)
          await queries.invalidateQueries({ queryKey: ['workflow', id] })
          toast(m.common.saved)
        }}
        label={m.common.save}
        beside={
          <>
            <ExportButton workflow={workflow} />
            <span className="sp" />
            <Button look="danger" onClick={() => setDeleting(true)}>
              {m.editor.delete}
            </Button>
          </>
        }
      />
      {deleting && (
        <Dialog title={`${m.editor.delete}: ${workflow.name}`} onClose={() => setDeleting(false)}>
          <p className="i2">{m.editor.deleteText}</p>
          <Callers workflow={id} />
          <DataForm
            danger
            initial={{}}
            fields={[]}
            send={async () => {
              await api.workflows.delete({ params: { id } })
              await queries.invalidateQueries({ queryKey: ['workflows'] })
              await navigate({ to: '/workflows' })
            }}
            label={m.editor.delete}
          />
        </Dialog>
      )}
    </div>
  )
}
