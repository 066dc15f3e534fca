import '#src/styles/flow-editor.css'
import { useMemo, useState } from 'react'
import { TextEditor } from '#src/editor/text-editor.tsx'
import { StartLine } from '#src/editor/start-line.tsx'
import type { Workflow } from '#src/editor/use-document.ts'
import { useView } from '#src/editor/use-view.ts'
import { ViewChoice } from '#src/editor/view-choice.tsx'
import { jsonAt } from '#src/document/task-json.ts'
import { FlowView } from '#src/flow/flow-view.tsx'
import { outlineOf } from '#src/flow/outline.ts'
import { m } from '#src/messages/messages.ts'
import { useSession } from '#src/session/session.ts'
import { JsonView } from '#src/values/json-view.tsx'

const plain = { into: 'ready', out: 'ready' } as const

/** The definition of a workflow for a person who may look at it and not change it. */
export function ReadOnlyDefinition({ workflow }: { readonly workflow: Workflow }) {
  const { id, definition, source, syntax } = workflow
  const [view, setView] = useView()
  const role = useSession(({ me }) => (me === undefined ? '' : m.team.roles[me.role]))
  const [selected, setSelected] = useState<string>()
  const outline = useMemo(() => outlineOf(definition), [definition])
  const step = selected === undefined ? undefined : jsonAt(definition, selected)
  return (
    <div className="editor">
      <div className="ebar">
        <ViewChoice view={view} onView={setView} />
        <span className="t13 i2">{m.editor.readOnly(role)}</span>
      </div>
      <div className={`editor-cols view-${view}`}>
        {view !== 'text' && (
          <div className="canvas">
            <FlowView
              entries={outline}
              look={() => plain}
              selected={selected}
              onSelect={setSelected}
              start={<StartLine workflow={id} definition={definition} />}
              end={<b className="bb t13">{m.run.ends}</b>}
              ends={['ready', 'ready']}
            />
          </div>
        )}
        {view !== 'flow' && <TextEditor text={source} label={m.editor.definition} language={syntax} />}
        {view !== 'text' && (
          <aside className="step" aria-label={m.flowEditor.tabs.setup}>
            <div className="sbody">
              {step === undefined ? (
                <p className="i2">{m.editor.chooseStep}</p>
              ) : (
                <JsonView value={step} title={selected?.split('/').at(-1)} />
              )}
            </div>
          </aside>
        )}
      </div>
    </div>
  )
}
