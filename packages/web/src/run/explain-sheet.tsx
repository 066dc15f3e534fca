import type { groups, Reply } from '@millrace/contract'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { ModelState, useModels } from '#src/models/model-state.tsx'
import type { RunDetail, TimelineEntry } from '#src/run/use-run.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { CopyButton } from '#src/ui/id.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { number } from '#src/values/format.ts'
import { Markdown } from '#src/values/markdown.tsx'

type Help = Reply<(typeof groups)['aiAssist']['assist']>

export interface ExplainProps {
  readonly run: RunDetail
  readonly error: NonNullable<TimelineEntry['error']>
  readonly onClose: () => void
}

/** A model explains why a run failed, or proposes a correction of its version. Nothing is asked before the person does, and nothing is saved. */
export function ExplainSheet({ run, error, onClose }: ExplainProps) {
  const { data: health } = useModels()
  const [busy, setBusy] = useState<Help['action']>()
  const [help, setHelp] = useState<Help>()
  const [problem, setProblem] = useState<unknown>()
  const ask = async (action: 'explain' | 'fix') => {
    setBusy(action)
    setProblem(undefined)
    try {
      setHelp(
        await api.aiAssist.assist({ body: { action, definition: await sourceOf(run), error: JSON.stringify(error).slice(0, 20_000) } }),
      )
    } catch (thrown) {
      setProblem(thrown)
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <Dialog title={m.explain.title} kind="sheet" onClose={onClose}>
      <ModelState />
      {health?.configured !== false && (
        <>
          <p className="i2">{m.explain.text}</p>
          <div className="row wrap">
            <Button look="primary" busy={busy === 'explain'} disabled={busy !== undefined} onClick={() => void ask('explain')}>
              {m.explain.explain}
            </Button>
            <Button busy={busy === 'fix'} disabled={busy !== undefined} onClick={() => void ask('fix')}>
              {m.explain.fix}
            </Button>
          </div>
        </>
      )}
      {problem !== undefined && <ProblemPanel error={problem} />}
      {help !== undefined && <Helped help={help} />}
    </Dialog>
  )
}

/** The text of the version that ran; of a test its draft, as JSON. */
async function sourceOf({ id, workflowId, workflowVersion: version }: RunDetail): Promise<string> {
  if (version > 0) return (await api.workflows.get({ params: { id: workflowId }, query: { version } })).source
  const { definition } = await api.executions.record({ params: { executionId: id }, query: { limit: 1 } })
  return JSON.stringify(definition)
}

function Helped({ help: { text, diff, definition, usage, repairs } }: { readonly help: Help }) {
  return (
    <section className="form" role="status">
      <Markdown text={text} />
      {diff !== null && (
        <pre className="mono" dir="ltr">
          {diff}
        </pre>
      )}
      {definition !== null && (
        <p className="row wrap i2">
          {m.explain.copyText} <CopyButton text={definition} label={m.explain.copy} />
        </p>
      )}
      <p className="t12 i3">{m.making.usage(usage.model, number(usage.inputTokens + usage.outputTokens), repairs)}</p>
    </section>
  )
}
