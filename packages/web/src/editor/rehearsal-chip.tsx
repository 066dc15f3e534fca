import { useState } from 'react'
import type { FlowDocument } from '#src/document/document-store.ts'
import { SampleSheet } from '#src/editor/text-parts.tsx'
import type { Rehearsing } from '#src/editor/use-checks.ts'
import { m } from '#src/messages/messages.ts'
import { Icon } from '#src/ui/icon.tsx'

interface ChipProps {
  readonly workflow: string
  readonly doc: FlowDocument
  readonly rehearsing: Rehearsing
  readonly steps: number
}

/** How far the rehearsal came, or that it needs a sample of the input; opens its input. */
export function RehearsalChip({ workflow, doc, rehearsing, steps }: ChipProps) {
  const [open, setOpen] = useState(false)
  const tone = toneOf(rehearsing)
  return (
    <>
      <button type="button" className={`btn quiet ${tone} rehearsed`} onClick={() => setOpen(true)} title={m.flowEditor.rehearsalHint}>
        <Icon name={tone === 'c-bad' ? 'warn' : 'flow'} />
        {wordsOf(rehearsing, steps)}
      </button>
      {open && <SampleSheet workflow={workflow} doc={doc} rehearsing={rehearsing} onClose={() => setOpen(false)} />}
    </>
  )
}

function toneOf({ rehearsal, stale }: Rehearsing): string {
  if (rehearsal?.end === 'unfit') return 'c-wait'
  if (rehearsal?.end === 'faulted') return 'c-bad'
  return stale ? 'i3' : 'c-race'
}

function wordsOf({ rehearsal, samples }: Rehearsing, steps: number): string {
  const e = m.flowEditor
  if (rehearsal === undefined) return e.sample
  if (rehearsal.end === 'unfit') return samples.input === undefined ? e.needsInput : e.unfitInput
  const reached = [...rehearsal.steps.values()].filter(({ state }) => state === 'completed').length
  return e.rehearsed(Math.min(reached, steps), steps)
}
