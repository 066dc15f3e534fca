import { useState } from 'react'
import type { Rehearsing } from '#src/editor/use-checks.ts'
import { m } from '#src/messages/messages.ts'
import { parsed } from '#src/rehearse/samples.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { JsonView } from '#src/values/json-view.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'

const TextEditor = onDemand(() => import('#src/editor/text-editor.tsx').then((module) => module.TextEditor))

/** How far the rehearsal came; opens its input. */
export function RehearsalChip({ rehearsing, steps }: { readonly rehearsing: Rehearsing; readonly steps: number }) {
  const [open, setOpen] = useState(false)
  const { rehearsal, stale, samples } = rehearsing
  const reached = [...(rehearsal?.steps.values() ?? [])].filter(({ state }) => state === 'completed').length
  const bad = rehearsal?.end === 'faulted' || parsed(samples.input) === undefined
  return (
    <>
      <button
        type="button"
        className={bad ? 'btn quiet c-bad rehearsed' : stale ? 'btn quiet i3 rehearsed' : 'btn quiet c-race rehearsed'}
        onClick={() => setOpen(true)}
        title={m.flowEditor.rehearsalHint}
      >
        <Icon name={bad ? 'warn' : 'flow'} />
        {rehearsal === undefined ? m.flowEditor.sample : m.flowEditor.rehearsed(Math.min(reached, steps), steps)}
      </button>
      {open && <SampleSheet rehearsing={rehearsing} onClose={() => setOpen(false)} />}
    </>
  )
}

function SampleSheet({ rehearsing, onClose }: { readonly rehearsing: Rehearsing; readonly onClose: () => void }) {
  const { samples, setInput, rehearsal } = rehearsing
  return (
    <Dialog title={m.flowEditor.rehearsal} kind="sheet" onClose={onClose}>
      <p className="i2 t13">{m.flowEditor.rehearsalText}</p>
      <b className="lbl">{m.flowEditor.sampleInput}</b>
      <div className="panel sample-editor">
        <TextEditor text={samples.input} label={m.flowEditor.sampleInput} language="json" onChange={setInput} />
      </div>
      {parsed(samples.input) === undefined && <p className="t12 c-bad">{m.flowEditor.sampleNotJson}</p>}
      {rehearsal?.output !== undefined && <JsonView value={rehearsal.output} title={m.run.result} />}
      {rehearsal?.error !== undefined && <JsonView value={rehearsal.error} title={m.run.error} />}
      <div className="row form-foot">
        <Button onClick={onClose}>{m.common.done}</Button>
      </div>
    </Dialog>
  )
}
