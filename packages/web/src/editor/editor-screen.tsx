import { useCallback, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { useKeys } from '#src/app/keys.ts'
import { Canvas } from '#src/editor/canvas.tsx'
import { useCurrentFindings } from '#src/editor/current-findings.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import { FixingProvider } from '#src/editor/fixing.tsx'
import { EditorBar } from '#src/editor/editor-bar.tsx'
import { NotPublished } from '#src/editor/not-published.tsx'
import { rehearsedKey, rehearsedLook } from '#src/editor/rehearsed-look.tsx'
import { RehearsalChip } from '#src/editor/rehearsal-chip.tsx'
import { StepSide } from '#src/editor/step-side.tsx'
import { stepCommands } from '#src/editor/step-commands.ts'
import { placeInWords, problemsByTask, taskOf } from '#src/editor/problems-by-task.ts'
import { useChecks } from '#src/editor/use-checks.ts'
import type { OpenDocument, Workflow } from '#src/editor/use-document.ts'
import { useView } from '#src/editor/use-view.ts'
import { usePublishing } from '#src/editor/use-publishing.ts'
import type { DrawnEntry } from '#src/flow/drawing.ts'
import { ConflictDialog, RunSheet, TextPane } from '#src/editor/text-parts.tsx'

interface ScreenProps {
  readonly workflow: Workflow
  readonly open: OpenDocument
  /** What the server found wrong, beyond what is known here. */
  readonly refused: readonly Finding[]
  readonly onRefused: (findings: readonly Finding[]) => void
}

/** Flow, text and the form of the selected step: three views of one text. */
export function EditorScreen({ workflow, open, refused, onRefused }: ScreenProps) {
  const { doc, saver } = open
  const outline = useStore(doc.store, (state) => state.outline)
  const steps = outline.places.size
  const { at } = useStore(saver.saving)
  const [view, setView] = useView()
  const [goTo, setGoTo] = useState<{ readonly line: number }>()
  const [running, setRunning] = useState<'run' | 'draft'>()
  const [editing, setEditing] = useState(0)
  const publishing = usePublishing(workflow, open, onRefused)
  const { findings, isChecked, rehearsing, findFixes } = useChecks(workflow.id, doc)
  const fixing = useMemo(() => {
    const inFlow = (finding: Finding) => placeInWords(finding, doc.store.getState())
    return { doc, find: findFixes, placeOf: view === 'flow' ? inFlow : undefined }
  }, [doc, findFixes, view])
  const commands = useMemo(() => stepCommands(doc), [doc])
  const current = useCurrentFindings(refused, doc)
  const all = useMemo(
    () => [...findings, ...current.filter(({ line, message }) => !findings.some((one) => one.line === line && one.message === message))],
    [findings, current],
  )
  // The lines of findings are those of the text that they were found in.
  const marks = useMemo(() => problemsByTask(all, outline, doc.store.getState().text), [all, outline, doc])
  const toText = (line: number) => {
    if (view === 'flow') setView('text')
    setGoTo({ line })
  }
  /** In the flow the step is selected, whose form shows the finding; elsewhere the line is shown. */
  const toFinding = (finding: Finding) => {
    const { text, outline: now } = doc.store.getState()
    const task = view === 'flow' ? taskOf(finding, now, text) : undefined
    if (task === undefined) toText(finding.line)
    else doc.select(task)
  }
  const toStep = (entry: DrawnEntry) => {
    const { text, outline: now } = doc.store.getState()
    toText(lineOf(text, now.places.get(entry.path)?.start ?? 0))
  }
  const run = async (what: 'run' | 'draft') => {
    await doc.settled()
    if (saver.saving.getState().at.kind === 'saved' || (await publishing.save())) setRunning(what)
  }
  const undo = () => void doc.settled().then(doc.undo)
  const redo = () => void doc.settled().then(doc.redo)
  useKeys({ 'Mod+s': () => void publishing.save(), 'Mod+Enter': () => void run('run'), 'Mod+z': undo, 'Mod+Z': redo, 'Mod+y': redo })
  const unpublished = workflow.hasUnpublishedChanges || workflow.version === null
  // A person who may not publish tries what is shown.
  const tried = running === 'draft' || (running === 'run' && unpublished && workflow.publishing?.allowed === false)
  const { rehearsal } = rehearsing
  const look = useCallback((entry: DrawnEntry) => rehearsedLook(entry, rehearsal, marks.get(entry.path)), [rehearsal, marks])
  const lookKey = useCallback((entry: DrawnEntry) => rehearsedKey(entry, rehearsal, marks.get(entry.path)), [rehearsal, marks])
  const onOpen = useCallback(() => setEditing((count) => count + 1), [])
  return (
    <FixingProvider value={fixing}>
      <div className="editor">
        <EditorBar
          view={view}
          onView={setView}
          open={open}
          findings={all}
          isChecked={isChecked}
          onFinding={toFinding}
          publishing={publishing}
          workflow={workflow}
          onRun={(what) => void run(what)}
          rehearsal={<RehearsalChip workflow={workflow.id} doc={doc} rehearsing={rehearsing} steps={steps} />}
        />
        <NotPublished publishing={publishing} findings={all} goTo={toFinding} version={workflow.version} />
        <div className={`editor-cols view-${view}`}>
          {view !== 'text' && <Canvas workflow={workflow.id} doc={doc} commands={commands} look={look} lookKey={lookKey} onOpen={onOpen} />}
          {view !== 'flow' && <TextPane doc={doc} findings={all} goTo={goTo} />}
          {view !== 'text' && (
            <StepSide
              workflow={workflow.id}
              doc={doc}
              commands={commands}
              findings={all}
              focus={editing}
              rehearsing={rehearsing}
              onText={toStep}
              onLine={toText}
            />
          )}
        </div>
        <Done doc={doc} />
        {running !== undefined && (
          <RunSheet
            workflow={workflow.id}
            onClose={() => setRunning(undefined)}
            draft={tried ? workflow : undefined}
            publish={!tried && unpublished ? publishing.ready : undefined}
          />
        )}
        {at.kind === 'conflict' && <ConflictDialog doc={doc} saver={saver} theirs={at.theirs} from={at.from} base={at.base} />}
      </div>
    </FixingProvider>
  )
}

/** What the last edit did, for those who do not see it. */
function Done({ doc }: { readonly doc: OpenDocument['doc'] }) {
  const done = useStore(doc.store, (state) => state.done)
  return (
    <p className="vh" role="status">
      {done}
    </p>
  )
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
