import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '#src/api/client.ts'
import type { FlowDocument } from '#src/document/document-store.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import { FindingList } from '#src/editor/problems.tsx'
import { suggestedNote } from '#src/editor/suggested-note.ts'
import type { Workflow } from '#src/editor/use-document.ts'
import type { Publishing } from '#src/editor/use-publishing.ts'
import { Field } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'
import { useSession } from '#src/session/session.ts'
import { Button } from '#src/ui/button.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'

const DeclineForm = onDemand(() => import('#src/editor/decline-request.tsx').then((module) => module.DeclineForm))

export interface PublishProps {
  readonly workflow: Workflow
  readonly doc: FlowDocument
  readonly publishing: Publishing
  /** Warnings of the draft, which do not prevent its publication. */
  readonly findings: readonly Finding[]
  readonly onFinding: (finding: Finding) => void
  readonly onClose: () => void
}

const findingsShownMax = 3

/** Publishes, or asks those who may to do so, with a note: that of the person who asked, or else the changed steps, which a person replaces or keeps. */
export function PublishForm({ workflow, doc, publishing, findings, onFinding, onClose }: PublishProps) {
  const queries = useQueryClient()
  const [typed, setTyped] = useState(notedBy(workflow))
  const [busy, setBusy] = useState(false)
  const [declining, setDeclining] = useState(false)
  const own = useSession(({ me }) => `user:${me?.id}`)
  const isAllowed = workflow.publishing?.allowed !== false
  const ask = async (note = '') => {
    if (!(await publishing.save())) return
    await publishing.attempt(async () => {
      await api.workflowDrafts.askToPublish({ params: { id: workflow.id }, body: note === '' ? {} : { note } })
      await queries.invalidateQueries({ queryKey: ['workflow', workflow.id], exact: true })
    })
  }
  const form = useRef<HTMLFormElement>(null)
  const suggestion = useQuery({
    queryKey: ['suggested-note', workflow.id],
    staleTime: 0,
    gcTime: 0,
    queryFn: () => suggestedNote(queries, workflow, doc),
  })
  // What is typed replaces the suggestion.
  useEffect(() => {
    if (suggestion.data !== undefined && typed === undefined) form.current?.querySelector('input')?.select()
  }, [suggestion.data, typed])
  if (declining) return <DeclineForm id={workflow.id} onEnded={onClose} onClose={() => setDeclining(false)} />
  return (
    <form
      ref={form}
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        setBusy(true)
        const note = (typed ?? suggestion.data)?.trim()
        void (isAllowed ? publishing.publish(note) : ask(note)).then(onClose)
      }}
    >
      {!isAllowed && <p className="i2">{m.flowEditor.asking.text}</p>}
      {findings.length > 0 && (
        <section>
          <h2 className="t13 b">{m.flowEditor.problemsOf(findings.length)}</h2>
          <FindingList
            findings={findings.slice(0, findingsShownMax)}
            goTo={(finding) => {
              onClose()
              onFinding(finding)
            }}
          />
        </section>
      )}
      <Field
        spec={{ name: 'note', label: m.flowEditor.publishNote }}
        value={typed ?? suggestion.data ?? ''}
        error={undefined}
        onChange={(value) => setTyped(String(value))}
      />
      <div className="row form-foot">
        <Button type="submit" look="primary" busy={busy}>
          {isAllowed ? m.editor.publish : m.flowEditor.asking.ask}
        </Button>
        {isAllowed && (workflow.publishing?.request?.requestedBy ?? own) !== own && (
          <Button onClick={() => setDeclining(true)}>{m.flowEditor.asking.decline}</Button>
        )}
        <Button onClick={onClose}>{m.common.cancel}</Button>
      </div>
    </form>
  )
}

/** What the person said who asked for the publication of this draft. */
function notedBy({ publishing }: Workflow): string | undefined {
  const request = publishing?.request
  return request?.isCurrent === true ? (request.note ?? undefined) : undefined
}
