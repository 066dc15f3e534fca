import { ClientError } from '@millrace/client'
import type { groups, Reply } from '@millrace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { api } from '#src/api/client.ts'
import { useKeys } from '#src/app/keys.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import { Problems } from '#src/editor/problems.tsx'
import { RunSheet } from '#src/editor/run-sheet.tsx'
import { TextEditor } from '#src/editor/text-editor.tsx'
import { useDiagnosis } from '#src/editor/use-diagnosis.ts'
import { FlowView } from '#src/flow/flow-view.tsx'
import { outlineOf } from '#src/flow/outline.ts'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'

type Workflow = Reply<(typeof groups)['workflows']['get']>

/** The text of a workflow with its drawing, its problems, and the ways to save, publish and run it. */
export function DefinitionEditor({ workflow }: { readonly workflow: Workflow }) {
  const queries = useQueryClient()
  const [text, setText] = useState(workflow.source)
  const [saved, setSaved] = useState(workflow.source)
  const [goTo, setGoTo] = useState<{ readonly line: number }>()
  const [problem, setProblem] = useState<unknown>()
  const [refused, setRefused] = useState<readonly Finding[]>([])
  const [busy, setBusy] = useState(false)
  const [running, setRunning] = useState(false)
  const { findings, document } = useDiagnosis(text)
  const outline = useMemo(() => outlineOf(document), [document])
  const all = useMemo(
    () => [...findings, ...refused.filter(({ line, message }) => !findings.some((one) => one.line === line && one.message === message))],
    [findings, refused],
  )
  /** Keeps any text, also one that is not valid. */
  const keep = async () => {
    const { diagnostics } = await api.workflowDrafts.save({ params: { id: workflow.id }, body: { text, syntax: workflow.syntax } })
    setSaved(text)
    setRefused(diagnostics)
    await queries.invalidateQueries({ queryKey: ['workflow', workflow.id], exact: true })
  }
  const publish = async () => {
    const next = await api.workflows.update({ params: { id: workflow.id }, body: { definition: text, publish: true } })
    setSaved(text)
    setRefused([])
    queries.setQueryData(['workflow', workflow.id], next)
    toast(m.editor.published(next.version ?? 1))
  }
  const attempt = async (act: () => Promise<void>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await act()
      return true
    } catch (error) {
      setRefused(diagnosticsOf(error))
      setProblem(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  const dirty = text !== saved
  useAutosave(text, dirty, keep)
  const run = async () => {
    if ((dirty || workflow.hasUnpublishedChanges || workflow.version === null) && !(await attempt(publish))) return
    setRunning(true)
  }
  useKeys({ 'Mod+s': () => void attempt(keep), 'Mod+Enter': () => void run() })
  return (
    <div className="editor">
      <div className="ebar">
        <Problems findings={all} goTo={(line) => setGoTo({ line })} />
        <span className="sp" />
        {dirty && <span className="t12 i3">{m.editor.unsaved}</span>}
        <Button onClick={() => void attempt(keep)} disabled={!dirty} busy={busy}>
          {m.editor.save}
        </Button>
        <Button
          onClick={() => void attempt(publish)}
          disabled={!dirty && !workflow.hasUnpublishedChanges && workflow.version !== null}
          busy={busy}
        >
          {m.editor.publish}
        </Button>
        <Button look="primary" icon="play" onClick={() => void run()} busy={busy}>
          {m.editor.run}
        </Button>
      </div>
      {problem !== undefined && refused.length === 0 && <ProblemPanel error={problem} />}
      <div className="editor-cols">
        <TextEditor
          text={text}
          label={m.editor.definition}
          findings={all}
          goTo={goTo}
          onChange={setText}
          onSave={() => void attempt(keep)}
        />
        <div className="canvas">
          <FlowView
            entries={outline}
            look={() => ({ into: 'ready', out: 'ready' })}
            selected={undefined}
            onSelect={(reference) => setGoTo({ line: lineOf(text, reference) })}
            start={<b className="bb t13">{m.run.startsBy}</b>}
            end={<b className="bb t13">{m.run.ends}</b>}
            ends={['ready', 'ready']}
          />
        </div>
      </div>
      {running && <RunSheet workflow={workflow.id} onClose={() => setRunning(false)} />}
    </div>
  )
}

function diagnosticsOf(error: unknown): readonly Finding[] {
  const found: unknown = error instanceof ClientError ? error.problem['diagnostics'] : undefined
  return Array.isArray(found) ? found : []
}

/** The line at which a task is named. */
function lineOf(text: string, reference: string): number {
  const name = reference.split('/').at(-1) ?? ''
  return text.split('\n').findIndex((line) => line.includes(`- ${name}:`) || line.includes(`"${name}"`)) + 1
}

const restMs = 2500

/** Keeps the text when it rests. A failure is not reported here: it stays unsaved, and the next change or the button tries again. */
function useAutosave(text: string, dirty: boolean, keep: () => Promise<void>): void {
  const latest = useRef(keep)
  latest.current = keep
  useEffect(() => {
    if (!dirty) return undefined
    const timer = setTimeout(() => void latest.current().catch(() => undefined), restMs)
    return () => clearTimeout(timer)
  }, [text, dirty])
}
