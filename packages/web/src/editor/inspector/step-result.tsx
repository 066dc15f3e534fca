import { useState } from 'react'
import type { FlowDocument } from '#src/document/document-store.ts'
import { StepTest } from '#src/editor/inspector/step-test.tsx'
import type { DrawnEntry } from '#src/flow/drawing.ts'
import type { Rehearsing } from '#src/editor/use-checks.ts'
import { m } from '#src/messages/messages.ts'
import { parsed } from '#src/rehearse/samples.ts'
import { Button } from '#src/ui/button.tsx'
import { JsonView } from '#src/values/json-view.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'

const TextEditor = onDemand(() => import('#src/editor/text-editor.tsx').then((module) => module.TextEditor))

const effects = new Set(['http', 'connector', 'approve', 'email', 'agent', 'script', 'workflow', 'listen'])

interface ResultProps {
  readonly workflow: string
  readonly doc: FlowDocument
  readonly entry: DrawnEntry
  readonly rehearsing: Rehearsing
}

/** What a step took and made in the rehearsal, and the sample result of one that has an effect. */
export function StepResult({ workflow, doc, entry, rehearsing }: ResultProps) {
  const step = rehearsing.rehearsal?.steps.get(entry.reference)
  const isUnfit = rehearsing.rehearsal?.end === 'unfit'
  return (
    <>
      <StepTest workflow={workflow} doc={doc} entry={entry} rehearsing={rehearsing} />
      {effects.has(entry.kind) && <Pin entry={entry} rehearsing={rehearsing} />}
      {step === undefined && <p className="i2 t13">{isUnfit ? m.flowEditor.sampleNeeded : m.flowEditor.notReached}</p>}
      {step?.error !== undefined && <JsonView value={step.error} title={m.run.error} />}
      {step?.output !== undefined && <JsonView value={step.output} title={m.run.output} />}
      {step?.input !== undefined && <JsonView value={step.input} title={m.run.input} />}
    </>
  )
}

function Pin({ entry, rehearsing }: { readonly entry: DrawnEntry; readonly rehearsing: Rehearsing }) {
  const now = rehearsing.samples.pins[entry.path]
  const [text, setText] = useState(now === undefined ? '' : JSON.stringify(now, undefined, 2))
  const bad = text.trim() !== '' && parsed(text) === undefined
  const change = (next: string) => {
    setText(next)
    const value = parsed(next)
    if (value !== undefined || next.trim() === '') rehearsing.pin(entry.path, value)
  }
  return (
    <div className="field">
      <div className="row">
        <b className="lbl">{m.flowEditor.sampleResult}</b>
        <span className="sp" />
        {text !== '' && (
          <Button size="sm" look="quiet" onClick={() => change('')}>
            {m.common.remove}
          </Button>
        )}
      </div>
      <div className="panel sample-editor small">
        <TextEditor text={text} label={m.flowEditor.sampleResult} language="json" onChange={change} />
      </div>
      <p className={bad ? 't12 c-bad' : 't12 i3'}>{bad ? m.flowEditor.sampleNotJson : m.flowEditor.sampleResultHint}</p>
    </div>
  )
}
