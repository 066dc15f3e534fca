import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import { isAskedFor } from '#src/editor/asked-for.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import { isError, Problems } from '#src/editor/problems.tsx'
import { SavedMark } from '#src/editor/saved-mark.tsx'
import type { OpenDocument, Workflow } from '#src/editor/use-document.ts'
import type { Publishing } from '#src/editor/use-publishing.ts'
import type { View } from '#src/editor/use-view.ts'
import { ViewChoice } from '#src/editor/view-choice.tsx'
import { m } from '#src/messages/messages.ts'
import { Button, IconButton } from '#src/ui/button.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'

const PublishDialog = onDemand(() => import('#src/editor/publish-dialog.tsx').then((module) => module.PublishDialog))
const PublishRequest = onDemand(() => import('#src/editor/publish-request.tsx').then((module) => module.PublishRequest))
const ChangesDialog = onDemand(() => import('#src/editor/changes-dialog.tsx').then((module) => module.ChangesDialog))

interface BarProps {
  readonly view: View
  readonly onView: (view: View) => void
  readonly open: OpenDocument
  readonly findings: readonly Finding[]
  readonly isChecked: boolean
  readonly onFinding: (finding: Finding) => void
  readonly publishing: Publishing
  readonly workflow: Workflow
  readonly onRun: (what: 'run' | 'draft') => void
  readonly rehearsal: ReactNode
}

/** The views of the editor, its history, its problems, and the ways to save, publish and run. */
export function EditorBar({ view, onView, open, findings, isChecked, onFinding, publishing, workflow, onRun, rehearsal }: BarProps) {
  const canUndo = useStore(open.doc.store, (state) => state.canUndo)
  const canRedo = useStore(open.doc.store, (state) => state.canRedo)
  const [asking, setAsking] = useState<'note' | 'changes'>()
  const { at } = useStore(open.saver.saving)
  const e = m.flowEditor
  const unpublished = at.kind !== 'saved' || workflow.hasUnpublishedChanges || workflow.version === null
  const isAllowed = workflow.publishing?.allowed !== false
  const dialog = { workflow, doc: open.doc, publishing, findings, onFinding, onClose: () => setAsking(undefined) }
  const isAsked = isAskedFor(workflow) && at.kind === 'saved'
  return (
    <>
      <div className="ebar">
        <ViewChoice view={view} onView={onView} />
        <IconButton icon="undo" label={e.undo} disabled={!canUndo} onClick={open.doc.undo} />
        <IconButton icon="redo" label={e.redo} disabled={!canRedo} onClick={open.doc.redo} />
        <Problems findings={findings} isChecked={isChecked} goTo={onFinding} />
        {rehearsal}
        <div className="ebar-acts">
          <SavedMark at={at} />
          <Button
            className="wide-only"
            onClick={() => void publishing.save()}
            disabled={at.kind === 'saved' || at.kind === 'conflict'}
            busy={publishing.busy}
          >
            {m.editor.save}
          </Button>
          {workflow.version !== null && unpublished && (
            <Button onClick={() => setAsking('changes')} disabled={at.kind === 'conflict'}>
              {e.changes}
            </Button>
          )}
          <Button
            // What is known to be refused is refused at once.
            onClick={() => (findings.some(isError) ? void publishing.publish() : setAsking('note'))}
            disabled={!unpublished || isAsked || at.kind === 'conflict'}
            busy={publishing.busy}
          >
            {isAllowed ? m.editor.publish : e.asking.ask}
          </Button>
          {(isAllowed || !unpublished) && (
            <Button
              look={unpublished ? 'plain' : 'primary'}
              icon={unpublished ? undefined : 'play'}
              onClick={() => onRun('run')}
              disabled={at.kind === 'conflict'}
              busy={publishing.busy}
            >
              {m.editor.run}
            </Button>
          )}
          {/* What is not published is tried before it runs for real. */}
          {unpublished && (
            <Button look="primary" icon="play" onClick={() => onRun('draft')} disabled={at.kind === 'conflict'} busy={publishing.busy}>
              {m.runInput.tryDraft}
            </Button>
          )}
        </div>
        {asking === 'note' && <PublishDialog {...dialog} />}
        {asking === 'changes' && <ChangesDialog {...dialog} />}
      </div>
      {unpublished && workflow.publishing?.request && (
        <PublishRequest workflow={workflow} onReview={() => setAsking(workflow.version === null ? 'note' : 'changes')} />
      )}
    </>
  )
}
