import { useStore } from 'zustand'
import type { FlowDocument } from '#src/document/document-store.ts'
import type { Rehearsing } from '#src/editor/use-checks.ts'
import { m } from '#src/messages/messages.ts'
import { inputSchemaOf } from '#src/rehearse/samples.ts'
import { lastInput } from '#src/run-input/last-input.ts'
import { RunForm } from '#src/run-input/run-form.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { JsonView } from '#src/values/json-view.tsx'

interface SheetProps {
  readonly workflow: string
  readonly doc: FlowDocument
  readonly rehearsing: Rehearsing
  readonly onClose: () => void
}

/** The input of the rehearsal, by the form that a run has, and what comes out of it while a person types. */
export function SampleSheet({ workflow, doc, rehearsing, onClose }: SheetProps) {
  const { samples, input, setInput } = rehearsing
  const schema = inputSchemaOf(useStore(doc.store, ({ json }) => json))
  // The input of the last run is a better beginning than an example.
  const given = samples.input ?? (lastInput(workflow) === undefined ? input() : undefined)
  return (
    <Dialog title={m.flowEditor.rehearsal} kind="sheet" onClose={onClose} keepsTyped>
      <p className="i2 t13">{m.flowEditor.rehearsalText}</p>
      <RunForm
        workflow={workflow}
        schema={schema}
        reads={[]}
        given={given}
        label={m.common.done}
        onTyped={setInput}
        start={async (typed) => {
          setInput(typed)
          onClose()
        }}
        below={(asText) => <Outcome rehearsing={rehearsing} asText={asText} />}
      />
    </Dialog>
  )
}

interface OutcomeProps extends Pick<SheetProps, 'rehearsing'> {
  readonly asText: boolean
}

function Outcome({ rehearsing: { rehearsal }, asText }: OutcomeProps) {
  if (rehearsal?.end === 'unfit')
    return (
      <p className="t13 c-wait" role="note">
        {m.flowEditor.sampleNeeded} {asText && <bdi dir="ltr">({rehearsal.error?.detail})</bdi>}
      </p>
    )
  return (
    <>
      {rehearsal?.output !== undefined && <JsonView value={rehearsal.output} title={m.run.result} />}
      {rehearsal?.error !== undefined && <JsonView value={rehearsal.error} title={m.run.error} />}
    </>
  )
}
